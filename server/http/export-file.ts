import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { accountParams } from '../../contract/accounts.ts';
import { DomainError } from '../domain-error.ts';
import { type ExportsDeps, exportAccount } from '../exports/index.ts';
import { requireOwnAccount } from '../own-account.ts';
import { languageOf } from '../translations/index.ts';
import { admit, type SessionGuardDeps } from './guards.ts';

/** All data of an account as one file; only for its own session. */
export const registerExportFile = (
  app: FastifyInstance,
  exports: ExportsDeps,
  guards: SessionGuardDeps,
): void => {
  app.get(
    '/api/account/:accountId/export.zip',
    {
      schema: {
        tags: ['account'],
        security: [{ session: [] }],
        summary: 'All data of the account as a ZIP file, secrets left out; one at a time',
        params: accountParams,
      },
      onRequest: async (request) => {
        const caller = await admit('customer', request, guards);
        if (caller) request.caller = caller;
      },
    },
    async (request, reply) => {
      const { accountId } = request.params as z.infer<typeof accountParams>;
      if (!request.caller) throw new DomainError('E_LOGIN_REQUIRED');
      requireOwnAccount(request.caller, accountId);
      const language = languageOf(request.headers['accept-language']);
      const archive = await exportAccount(exports, { accountId, language });
      return reply
        .header('cache-control', 'no-store')
        .header('content-disposition', 'attachment; filename="posthorn-export.zip"')
        .type('application/zip')
        .send(archive);
    },
  );
};
