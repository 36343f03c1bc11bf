import {
  MOST_BOOKMARK_CHARACTERS,
  MOST_BOOKMARKED_CHARACTERS,
  MOST_BOOKMARKS,
} from '../../../contract/office/query.ts';
import { DomainError } from '../../ground/domain-error.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { countOthers, type KeptBookmark, lockBookmarksOf, upsertBookmark } from './bookmark-store.ts';

export const keepBookmark = async (
  db: Db,
  { copy, ...bookmark }: KeptBookmark & { copy: boolean },
): Promise<void> => {
  const { accountId, query } = bookmark;
  if (query.length > MOST_BOOKMARK_CHARACTERS)
    throw new DomainError('E_TEXT_TOO_LONG', { maximum: MOST_BOOKMARK_CHARACTERS });
  await db.transaction().execute(async (trx) => {
    await lockBookmarksOf(trx, accountId);
    const others = await countOthers(trx, bookmark);
    if (others.count >= MOST_BOOKMARKS || others.characters + query.length > MOST_BOOKMARKED_CHARACTERS)
      throw new DomainError('E_TOO_MANY_BOOKMARKS', {
        limit: MOST_BOOKMARKS,
        characters: MOST_BOOKMARKED_CHARACTERS,
      });
    await upsertBookmark(trx, bookmark, { copy });
  });
};
