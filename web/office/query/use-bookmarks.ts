import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { call } from '../../ground/api/call.ts';
import { queryClient } from '../../ground/api/query-client.ts';
import { t } from '../../ground/i18n/translate.ts';
import { toastFailure, toastSuccess } from '../../ground/ui/feedback/toast.ts';
import { keepBookmarks, type LocalBookmark, readBookmarks } from './kept.ts';
import { bookmarksQuery, type QueryTarget } from './query-queries.ts';

interface Saved extends QueryTarget {
  id: string;
  query: string;
  shared: boolean;
}

const put = ({ id, ...body }: Saved, { copy = false } = {}) =>
  call('PUT /qf/bookmarks/:bookmarkId', {
    params: { bookmarkId: id },
    body: { ...body, ...(copy && { copy }) },
  });

const reload = () => queryClient.invalidateQueries({ queryKey: bookmarksQuery.queryKey });

/** Carries it out and says so; a failure is shown as a toast. */
const carryOut = async (work: () => Promise<unknown>, done: string): Promise<boolean> => {
  try {
    await work();
    toastSuccess(done);
    return true;
  } catch (error) {
    toastFailure((error as Error).message);
    return false;
  } finally {
    await reload();
  }
};

/** Bookmarks are the server's; the browser's list is a copy, and what is only there and was not deleted is taken over. */
export const useBookmarks = (zoneId: number | undefined) => {
  const { data: bookmarks } = useQuery(bookmarksQuery);
  const taken = useRef(false);

  useEffect(() => {
    if (!bookmarks || zoneId === undefined) return;
    const own = bookmarks.filter((bookmark) => bookmark.own);
    const missing = taken.current
      ? []
      : (readBookmarks() ?? []).filter(({ id }) => !own.some((known) => known.id === id));
    taken.current = true;
    if (missing.length === 0) return keepBookmarks(own);
    const takeOver = (one: LocalBookmark) => put({ ...one, zone_id: zoneId, shared: false }, { copy: true });
    void Promise.all(missing.map(takeOver)).then(
      reload,
      // They stay in the browser, and are taken over another time.
      (error: Error) => toastFailure(error.message),
    );
  }, [bookmarks, zoneId]);

  return {
    bookmarks: bookmarks ?? [],
    save: (bookmark: Saved) => carryOut(() => put(bookmark), t('qf.bookmark_saved')),
    remove: (id: string) =>
      carryOut(
        () => call('DELETE /qf/bookmarks/:bookmarkId', { params: { bookmarkId: id } }),
        t('qf.bookmark_deleted'),
      ),
    removeAll: () => carryOut(() => call('DELETE /qf/bookmarks'), t('qf.bookmarks_deleted')),
  };
};
