import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { accountParams } from '../../contract/accounts.ts';
import { ledgerFilter, receiptParams } from '../../contract/wallet.ts';
import { DomainError } from '../domain-error.ts';
import { requireOwnAccount } from '../own-account.ts';
import { languageOf } from '../translations/index.ts';
import { ledgerCsv, receiptPdf, type WalletDeps } from '../wallet/index.ts';
import { admit, type SessionGuardDeps } from './guards.ts';

/** Answers of the wallet that are files, not JSON. Each only for the account's own session. */
export const registerWalletFiles = (
  app: FastifyInstance,
  wallet: WalletDeps,
  guards: SessionGuardDeps,
): void => {
  const shared = { tags: ['account'], security: [{ session: [] }] };

  app.get(
    '/api/account/:accountId/ledger.csv',
    {
      schema: {
        ...shared,
        summary: 'Every movement of the balance as a CSV file',
        params: accountParams,
        querystring: ledgerFilter,
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
      const filter = request.query as z.infer<typeof ledgerFilter>;
      const csv = await ledgerCsv(wallet, { ...filter, accountId, language });
      return reply
        .header('cache-control', 'no-store')
        .header('content-disposition', 'attachment; filename="ledger.csv"')
        .type('text/csv; charset=utf-8')
        .send(csv);
    },
  );

  app.get(
    '/api/account/:accountId/payments/:paymentId/receipt.pdf',
    {
      schema: { ...shared, summary: 'The receipt of a top-up as a PDF file', params: receiptParams },
      onRequest: async (request) => {
        const caller = await admit('customer', request, guards);
        if (caller) request.caller = caller;
      },
    },
    async (request, reply) => {
      const { accountId, paymentId } = request.params as z.infer<typeof receiptParams>;
      if (!request.caller) throw new DomainError('E_LOGIN_REQUIRED');
      requireOwnAccount(request.caller, accountId);
      const language = languageOf(request.headers['accept-language']);
      const pdf = await receiptPdf(wallet, { accountId, paymentId, language });
      return reply
        .header('cache-control', 'no-store')
        .header('content-disposition', `attachment; filename="receipt-${paymentId.slice(0, 8)}.pdf"`)
        .type('application/pdf')
        .send(pdf);
    },
  );
};
