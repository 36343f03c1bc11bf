import { type MediaId, mediaParams } from '../../../contract/traffic/media.ts';
import { DomainError } from '../../ground/domain-error.ts';
import { openConcurrencyLimit } from '../../ground/limits/index.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { type CallerFiles, callerFile, requireOwnAccount } from '../../ground/route/index.ts';
import { makePreview, PREVIEW_MAX_BYTES, PREVIEW_MAX_MS } from './make-preview.ts';
import type { MediaFiles } from './media-files.ts';
import { findMedia } from './store.ts';

export interface MediaRouteDeps {
  db: Db;
  files: Pick<MediaFiles, 'read' | 'readWhole' | 'readPreview' | 'writePreview'>;
}

/** How many previews are made at the same time. */
const MAX_CONCURRENT = 2;
/** Longer than one may take. */
const MOST_WAIT_MS = 1.5 * PREVIEW_MAX_MS;

/** What came with incoming messages. A stranger sent it: it is only ever downloaded. */
export const mediaRoutes = ({ db, files }: MediaRouteDeps): CallerFiles => {
  const limited = openConcurrencyLimit(MAX_CONCURRENT, { maxWaitMs: MOST_WAIT_MS });
  /** Made when it is first looked at, and kept beside the file. */
  const previewOf = async (mediaId: MediaId): Promise<Buffer | undefined> => {
    const known = await files.readPreview(mediaId);
    if (known) return known;
    const bytes = await files.readWhole(mediaId, PREVIEW_MAX_BYTES);
    const preview = bytes && (await makePreview(bytes));
    if (preview) await files.writePreview(mediaId, preview);
    return preview;
  };
  return {
    'GET /account/:accountId/media/:mediaId': callerFile({
      summary: 'A file that came with an incoming message',
      params: mediaParams,
      answer: async ({ caller, params: { accountId, mediaId } }) => {
        requireOwnAccount(caller, accountId);
        const found = await findMedia(db, { accountId, mediaId });
        if (found?.state === 'WAITING') throw new DomainError('E_MEDIA_NOT_READY');
        const file = found?.state === 'STORED' ? await files.read(mediaId) : undefined;
        if (!found || !file) throw new DomainError('E_NOT_FOUND');
        return {
          contentType: found.mimeType,
          fileName: found.fileName || `${found.kind}-${mediaId.slice(0, 8)}`,
          foreign: true,
          ...file,
        };
      },
    }),
    'GET /account/:accountId/media/:mediaId/preview': callerFile({
      summary: 'A small copy of an image that came with an incoming message, without its metadata',
      params: mediaParams,
      answer: async ({ caller, params: { accountId, mediaId }, hungUp }) => {
        requireOwnAccount(caller, accountId);
        const found = await findMedia(db, { accountId, mediaId });
        if (found?.state === 'WAITING') throw new DomainError('E_MEDIA_NOT_READY');
        const isImage = found?.state === 'STORED' && found.mimeType.startsWith('image/');
        const body = isImage
          ? await limited(() => previewOf(mediaId), { signal: hungUp, key: accountId })
          : undefined;
        if (!body) throw new DomainError('E_NOT_FOUND');
        return { contentType: 'image/webp', fileName: `${mediaId}.webp`, foreign: true, body };
      },
    }),
  };
};
