import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { PaymentId } from '../../../../contract/customer/wallet.ts';
import type { SpendDeps } from '../wallet-deps.ts';

export const SEND_MAIL = 'wallet.send-mail';

const accountId = z.custom<AccountId>((value) => typeof value === 'string');
const paymentId = z.custom<PaymentId>((value) => typeof value === 'string');

export const mailRequest = z.intersection(
  z.object({ mailId: z.uuid(), accountId }),
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('low-balance') }),
    z.object({ kind: z.literal('daily-cap') }),
    /** 80 % of a limit; the limit in USD, or a number of countries. */
    z.object({ kind: z.enum(['day-limit', 'new-countries']), limit: z.string() }),
    z.object({ kind: z.literal('receipt'), paymentId }),
    z.object({ kind: z.literal('auto-declined'), paymentId }),
    z.object({ kind: z.literal('auto-stopped'), paymentId }),
  ]),
);
export type MailRequest = z.infer<typeof mailRequest>;

type Unnumbered<T> = T extends unknown ? Omit<T, 'mailId'> : never;

/** Within the transaction given, so that the mail is sent if and only if it commits. */
export const requestMail = ({ db, queue }: SpendDeps, request: Unnumbered<MailRequest>): Promise<void> =>
  queue.send(SEND_MAIL, { mailId: randomUUID(), ...request }, { db });
