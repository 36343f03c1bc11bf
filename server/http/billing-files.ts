import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { accountParams } from '../../contract/accounts.ts';
import { monthQuery } from '../../contract/billing.ts';
import { type BillingDeps, statementPdf } from '../billing/index.ts';
import { DomainError } from '../domain-error.ts';
import { requireOwnAccount } from '../own-account.ts';
import { languageOf } from '../translations/index.ts';
import { admit, type SessionGuardDeps } from './guards.ts';

/** The statement is a file, not JSON; only for the account's own session. */
export const registerBillingFiles = (
  app: FastifyInstance,
  billing: BillingDeps,
  guards: SessionGuardDeps,
): void => {
  app.get(
    '/api/account/:accountId/statement.pdf',
    {
      schema: {
        tags: ['account'],
        security: [{ session: [] }],
        summary: 'The statement of a month as a PDF file',
        params: accountParams,
        querystring: monthQuery,
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
      const { date } = request.query as z.infer<typeof monthQuery>;
      const { pdf, month } = await statementPdf(billing, { accountId, date, language });
      return reply
        .header('cache-control', 'no-store')
        .header('content-disposition', `attachment; filename="statement-${month}.pdf"`)
        .type('application/pdf')
        .send(pdf);
    },
  );
};
