import { z } from 'zod';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { PaymentId } from '../../../../contract/customer/wallet.ts';
import { mailRequests } from '../../../ground/mail/index.ts';

const accountId = z.custom<AccountId>((value) => typeof value === 'string');
const paymentId = z.custom<PaymentId>((value) => typeof value === 'string');

const request = z.intersection(
  z.object({ accountId }),
  z.discriminatedUnion('kind', [
    z.object({ kind: z.enum(['low-balance', 'daily-cap']) }),
    /** 80 % of a limit; the limit in USD, or a number of countries. */
    z.object({ kind: z.enum(['day-limit', 'new-countries']), limit: z.string() }),
    z.object({ kind: z.enum(['receipt', 'auto-declined', 'auto-stopped']), paymentId }),
  ]),
);
export type WalletMail = z.infer<typeof request>;

export const walletMails = mailRequests({
  task: 'wallet.send-mail',
  request,
  about: ({ kind, accountId }) => ({ kind, accountId }),
  concurrency: 4,
});
