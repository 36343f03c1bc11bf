import { mediaParams } from '../../contract/media.ts';
import { DomainError } from '../domain-error.ts';
import type { Db } from '../postgres/index.ts';
import { type CallerFiles, callerFile, requireOwnAccount } from '../route/index.ts';
import type { MediaFiles } from './media-files.ts';
import { findMedia } from './store.ts';

export interface MediaRouteDeps {
  db: Db;
  files: Pick<MediaFiles, 'read'>;
}

/** What came with incoming messages. A stranger sent it: it is only ever downloaded. */
export const mediaRoutes = ({ db, files }: MediaRouteDeps): CallerFiles => ({
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
});
