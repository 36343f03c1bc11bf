import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { mediaParams } from '../../contract/media.ts';
import { DomainError } from '../domain-error.ts';
import { findMedia, type MediaFiles } from '../media/index.ts';
import { requireOwnAccount } from '../own-account.ts';
import type { Db } from '../postgres/index.ts';
import { admit, type SessionGuardDeps } from './guards.ts';

/** A name that no header can be broken by; the true one goes along in the form of RFC 6266. */
const dispositionOf = (name: string): string => {
  const plain = name.replace(/[^\w.-]+/g, '_');
  const encoded = encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, escape);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
};

/**
 * What came with incoming messages, for the account's own session. A stranger sent it: it is only ever downloaded,
 * never shown as a page of ours.
 */
export const registerMediaFiles = (
  app: FastifyInstance,
  { db, files, guards }: { db: Db; files: MediaFiles; guards: SessionGuardDeps },
): void => {
  app.get(
    '/api/account/:accountId/media/:mediaId',
    {
      schema: {
        tags: ['account'],
        security: [{ session: [] }],
        summary: 'A file that came with an incoming message',
        params: mediaParams,
      },
      onRequest: async (request) => {
        const caller = await admit('customer', request, guards);
        if (caller) request.caller = caller;
      },
    },
    async (request, reply) => {
      const { accountId, mediaId } = request.params as z.infer<typeof mediaParams>;
      if (!request.caller) throw new DomainError('E_LOGIN_REQUIRED');
      requireOwnAccount(request.caller, accountId);
      const found = await findMedia(db, { accountId, mediaId });
      if (found?.state === 'WAITING') throw new DomainError('E_MEDIA_NOT_READY');
      const file = found?.state === 'STORED' ? await files.read(mediaId) : undefined;
      if (!found || !file) throw new DomainError('E_NOT_FOUND');
      return reply
        .header('cache-control', 'private, no-store')
        .header('x-content-type-options', 'nosniff')
        .header('content-security-policy', "default-src 'none'; sandbox")
        .header('content-length', file.bytes)
        .header(
          'content-disposition',
          dispositionOf(found.fileName || `${found.kind}-${mediaId.slice(0, 8)}`),
        )
        .type(found.mimeType)
        .send(file.body);
    },
  );
};
