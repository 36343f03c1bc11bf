import { Readable } from 'node:stream';
import type { Db } from '../../ground/postgres/index.ts';
import type { MediaSource } from '../../traffic/media/index.ts';
import { findFile } from './file-store.ts';

/** Where the files of incoming messages of devices are fetched: whichever worker received them has stored them. */
export const deviceMedia = (db: Db): MediaSource => ({
  fetch: async (id) => {
    const file = await findFile(db, id);
    return file ? { mimeType: file.mimeType, sha256: undefined, body: Readable.from([file.bytes]) } : 'gone';
  },
});
