import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { accountParams } from '../../contract/accounts.ts';
import { messageExportQuery } from '../../contract/message-search.ts';
import { DomainError } from '../domain-error.ts';
import { openTurns } from '../limits/index.ts';
import { searchCsv } from '../messages/index.ts';
import { requireOwnAccount } from '../own-account.ts';
import type { Db } from '../postgres/index.ts';
import { languageOf } from '../translations/index.ts';
import { admit, type SessionGuardDeps } from './guards.ts';

export interface MessageFilesDeps {
  db: Db;
  guards: SessionGuardDeps;
  /** Rows that are read at a time. */
  pageSize?: number;
}

/** However many files are being read, only so many of their questions are with the database at a time. */
const AT_ONCE = 2;

/**
 * The messages of a search as a file. It has no length beforehand: one that breaks off does so without its proper
 * end, so that it is never taken for whole.
 */
export const registerMessageFiles = (
  app: FastifyInstance,
  { db, guards, pageSize }: MessageFilesDeps,
): void => {
  const inTurn = openTurns(AT_ONCE);
  app.get(
    '/api/account/:accountId/messages.csv',
    {
      schema: {
        tags: ['account'],
        security: [{ session: [] }],
        summary: 'Every message that fits a search as a CSV file, the newest first',
        params: accountParams,
        querystring: messageExportQuery,
      },
      onRequest: async (request) => {
        const caller = await admit('customer', request, guards);
        if (caller) request.caller = caller;
      },
    },
    async (request, reply) => {
      const { caller } = request;
      const { accountId } = request.params as z.infer<typeof accountParams>;
      if (!caller) throw new DomainError('E_LOGIN_REQUIRED');
      requireOwnAccount(caller, accountId);
      const language = languageOf(request.headers['accept-language']);
      const asked = request.query as z.infer<typeof messageExportQuery>;
      const csv = await searchCsv(db, { caller, asked, language, inTurn, pageSize });
      return reply
        .header('cache-control', 'no-store')
        .header('content-disposition', 'attachment; filename="messages.csv"')
        .type('text/csv; charset=utf-8')
        .send(csv);
    },
  );
};
