import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { PaymentId } from '../../../contract/customer/wallet.ts';
import type { Language } from '../../../contract/ground/constants.ts';
import { MICROS_PER_CENT, MICROS_PER_UNIT, numberFromMicros } from '../../../contract/ground/money.ts';
import {
  type AccountsDeps,
  confirmPassword,
  findByEmailPart,
  readEmails,
} from '../../customer/accounts/index.ts';
import { paymentView, type WalletDeps } from '../../customer/wallet/index.ts';
import {
  acceptAmount,
  comparePayment,
  leftMinor,
  type PaymentRow,
  paymentTimeline,
  readPayment,
  refundPayment,
  searchPayments,
} from '../../customer/wallet/payments/index.ts';
import { DomainError } from '../../ground/domain-error.ts';
import type { CallerRoutes } from '../../ground/route/index.ts';
import { text } from '../../ground/translations/index.ts';

export interface PaymentsDeps {
  /** To confirm the password of who refunds. */
  accounts: Pick<AccountsDeps, 'db' | 'limits' | 'passwords' | 'log'>;
  wallet: WalletDeps;
}

const LISTED = 50;
/** More accounts than this match a part of an email only if it is too short to mean one. */
const ACCOUNTS = 500;
/** Larger than any charge; the amount is only searched for. */
const LARGEST_MICROS = 1_000_000_000n * MICROS_PER_UNIT;

const view = (language: Language, payment: PaymentRow, email: string) => {
  const { clientSecret, ...shown } = paymentView(language, payment);
  return {
    ...shown,
    accountId: payment.accountId,
    email,
    card: { brand: payment.brand, last4: payment.last4 },
    provider: payment.processor,
    providerId: payment.chargeRef,
    refunded: numberFromMicros(payment.refundedMinor * MICROS_PER_CENT),
    left: numberFromMicros(leftMinor(payment) * MICROS_PER_CENT),
  };
};

export const adminPaymentRoutes = ({ accounts, wallet }: PaymentsDeps): CallerRoutes => {
  const { db } = wallet;
  const withEmail = async (language: Language, payments: PaymentRow[]) => {
    const emails = await readEmails(db, [...new Set(payments.map(({ accountId }) => accountId))]);
    return payments.map((payment) => view(language, payment, emails.get(payment.accountId) ?? ''));
  };
  const shown = async (language: Language, paymentId: PaymentId) => {
    const payment = await readPayment(db, paymentId);
    const [found] = payment ? await withEmail(language, [payment]) : [];
    if (!payment || !found) throw new DomainError('E_NOT_FOUND');
    return { payment, found };
  };
  return {
    'GET /admin/payments': async ({ caller, query, language }) => {
      const { email, amount, limit = LISTED, ...search } = query;
      const found = await searchPayments(db, {
        ...search,
        accountIds: email ? await findByEmailPart(db, email, ACCOUNTS) : undefined,
        amountMicros: amount ? acceptAmount(amount, { maximumMicros: LARGEST_MICROS }) : undefined,
        timeZone: (await wallet.contactOf(caller.accountId))?.timeZone ?? 'UTC',
        limit: limit + 1,
      });
      return { payments: await withEmail(language, found.slice(0, limit)), more: found.length > limit };
    },
    'GET /admin/payments/:paymentId': async ({ params, language }) => {
      const { payment, found } = await shown(language, params.paymentId);
      const nameOf = async (accountId: string) =>
        (await readEmails(db, [accountId as AccountId])).get(accountId as AccountId) ?? accountId;
      return { payment: found, steps: await paymentTimeline(db, payment, { language, nameOf }) };
    },
    'POST /admin/payments/:paymentId/reconcile': async ({ params, language, changed }) => {
      const { found: before } = await shown(language, params.paymentId);
      const { outcome } = await comparePayment(wallet, params.paymentId);
      const { found } = await shown(language, params.paymentId);
      changed({ accountId: found.accountId, before, after: { ...found, compared: outcome } });
      return { payment: found, message: text(language, `payments.compared.${outcome}`) };
    },
    'POST /admin/payments/:paymentId/refund': async ({
      caller,
      params,
      body,
      headers,
      language,
      address,
      changed,
    }) => {
      const { password, ...wanted } = body;
      await confirmPassword(accounts, { accountId: caller.accountId, password, address });
      const { found: before } = await shown(language, params.paymentId);
      const { state } = await refundPayment(wallet, {
        ...wanted,
        paymentId: params.paymentId,
        by: caller.accountId,
        idempotencyKey: headers['idempotency-key'],
      });
      const { found } = await shown(language, params.paymentId);
      changed({ accountId: found.accountId, before, after: { ...found, state, reason: wanted.reason } });
      return { payment: found, message: text(language, `payments.refunded.${state}`) };
    },
  };
};
