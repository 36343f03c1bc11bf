import { MOST_BOOKMARKS } from '../../contract/query.ts';
import { DomainError } from '../domain-error.ts';
import type { Db } from '../postgres/index.ts';
import { countOthers, type KeptBookmark, upsertBookmark } from './bookmark-store.ts';

export const keepBookmark = async (
  db: Db,
  { copy, ...bookmark }: KeptBookmark & { copy: boolean },
): Promise<void> => {
  if ((await countOthers(db, bookmark)) >= MOST_BOOKMARKS)
    throw new DomainError('E_TOO_MANY_BOOKMARKS', { limit: MOST_BOOKMARKS });
  await upsertBookmark(db, bookmark, { copy });
};
