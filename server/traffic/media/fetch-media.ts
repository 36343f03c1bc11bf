import type { Db } from '../../ground/postgres/index.ts';
import { type MediaFiles, TooLarge } from './media-files.ts';
import type { MediaSource } from './media-source.ts';
import { safeMimeType } from './mime-type.ts';
import { type DueMedia, deferMedia, giveUp, markStored, takeDueMedia } from './store.ts';

export interface MediaDeps {
  db: Db;
  files: MediaFiles;
  /** Where the files of a lane are fetched from; undefined if it has none. */
  sourceOf: (laneName: string) => Promise<MediaSource | undefined>;
  log: { warn: (facts: object, text: string) => void };
}

const AT_ONCE = 4;
/** A download that takes longer is cancelled and tried again. */
const FETCH_MS = 120_000;
const FIRST_DELAY_MS = 10_000;
/** The pauses between them take 85 minutes together; WhatsApp keeps media for thirty days, but people wait. */
const MOST_ATTEMPTS = 10;

const fetchOne = async ({ db, files, sourceOf, log }: MediaDeps, due: DueMedia, signal: AbortSignal) => {
  const { id, laneName, providerMediaId, attempts } = due;
  try {
    const source = await sourceOf(laneName);
    if (!source) throw new Error(`the lane ${laneName} is not set up any more`);
    const until = AbortSignal.any([signal, AbortSignal.timeout(FETCH_MS)]);
    const fetched = await source.fetch(providerMediaId, until);
    if (fetched === 'gone') return await giveUp(db, { id, reason: 'The provider no longer has it.' });
    const bytes = await files.write(id, fetched, until);
    await markStored(db, { id, mimeType: safeMimeType(fetched.mimeType), bytes });
  } catch (error) {
    const reason = (error as Error).message.slice(0, 200);
    log.warn({ err: error, media: id, attempts }, 'media could not be fetched');
    if (error instanceof TooLarge || attempts >= MOST_ATTEMPTS) await giveUp(db, { id, reason });
    else await deferMedia(db, { id, reason, delayMs: FIRST_DELAY_MS * 2 ** (attempts - 1) });
  }
};

/** Fetches what is due, a few at the same time, until nothing is left. Any number of workers may do so. */
export const fetchMedia = async (deps: MediaDeps, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    const due = await takeDueMedia(deps.db, { limit: AT_ONCE, forMs: FETCH_MS + 60_000 });
    if (due.length === 0) return;
    await Promise.all(due.map((one) => fetchOne(deps, one, signal)));
  }
};
