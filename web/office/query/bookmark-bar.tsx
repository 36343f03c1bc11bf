import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../ground/i18n/translate.ts';
import { ConfirmDialog } from '../../ground/ui/forms/confirm-dialog.tsx';
import classes from './query.module.css';
import type { Bookmarks } from './query-queries.ts';

type Bookmark = Bookmarks[number];

interface BookmarkBarProps {
  bookmarks: Bookmarks;
  chosen: Bookmark | undefined;
  onChoose: (bookmark: Bookmark | undefined) => void;
  onDelete: () => void;
  onDeleteAll: () => Promise<unknown>;
}

const NAME_LENGTH = 70;

/** What a bookmark is chosen by: it has no name, but its statement. */
export const bookmarkKey = ({ own, owner, id }: Bookmark): string => (own ? id : `${owner} ${id}`);
const nameOf = ({ query, own, owner }: Bookmark): string => {
  const line = query.trim().replace(/\s+/g, ' ');
  const short = line.length > NAME_LENGTH ? `${line.slice(0, NAME_LENGTH)}…` : line || '–';
  return own ? short : `${short} (${owner})`;
};

/** Finds, chooses and deletes bookmarks. */
export const BookmarkBar = ({ bookmarks, chosen, onChoose, onDelete, onDeleteAll }: BookmarkBarProps) => {
  const [search, setSearch] = useState('');
  const [asking, setAsking] = useState(false);
  const wanted = search.trim().toLowerCase();
  const found = bookmarks.filter(
    (bookmark) =>
      bookmark === chosen ||
      `${bookmark.query} ${bookmark.database} ${bookmark.owner}`.toLowerCase().includes(wanted),
  );
  return (
    <div className={classes.fields}>
      <TextInput
        type="search"
        label={t('qf.bookmark_search')}
        value={search}
        maxLength={200}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
      />
      <NativeSelect
        className={classes.wide}
        label={t('qf.bookmark')}
        value={chosen ? bookmarkKey(chosen) : ''}
        onChange={({ currentTarget }) =>
          onChoose(bookmarks.find((one) => bookmarkKey(one) === currentTarget.value))
        }
        data={[
          { value: '', label: t('qf.bookmark_none', { count: found.length }) },
          ...found.map((bookmark) => ({ value: bookmarkKey(bookmark), label: nameOf(bookmark) })),
        ]}
      />
      <Button variant="default" disabled={!chosen?.own} onClick={onDelete}>
        {t('qf.bookmark_delete')}
      </Button>
      <Button variant="default" disabled={!bookmarks.some(({ own }) => own)} onClick={() => setAsking(true)}>
        {t('qf.bookmarks_delete')}
      </Button>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        onConfirm={async () => {
          await onDeleteAll();
          setAsking(false);
        }}
        title={t('qf.bookmarks_delete')}
        cancel={t('layout.cancel')}
        confirm={t('qf.bookmarks_delete')}
        close={t('layout.close')}
        destructive
      >
        {t('qf.sure')}
      </ConfirmDialog>
    </div>
  );
};
