import { accountParams } from '../../../contract/customer/accounts.ts';
import { ledgerFilter, type Payment, receiptParams } from '../../../contract/customer/wallet.ts';
import type { Language } from '../../../contract/ground/constants.ts';
import { numberFromMicros } from '../../../contract/ground/money.ts';
import { DomainError } from '../../ground/domain-error.ts';
import type { Limits } from '../../ground/limits/index.ts';
import {
  type Caller,
  type CallerFiles,
  type CallerRoutes,
  callerFile,
  requireOwnAccount,
  type Webhooks,
} from '../../ground/route/index.ts';
import { text } from '../../ground/translations/index.ts';
import type { ThreadPool } from '../../ground/worker-threads/index.ts';
import { changePaymentSetting } from './auto-top-up/change-payment-setting.ts';
import { paymentReasonText } from './auto-top-up/reasons.ts';
import { beginCard } from './cards/begin-card.ts';
import { listCards } from './cards/card-store.ts';
import { keepCard } from './cards/keep-card.ts';
import { removeCard } from './cards/remove-card.ts';
import { setDefaultCard } from './cards/set-default-card.ts';
import { ledgerCsv } from './ledger/ledger-csv.ts';
import { listEntries } from './ledger/ledger-store.ts';
import { chargeCard } from './payments/charge-card.ts';
import { listPayments, type PaymentRow } from './payments/payment-store.ts';
import { receiptPdf } from './payments/receipt-pdf.ts';
import { receiveProcessorEvent } from './payments/receive-processor-event.ts';
import { refreshPayment } from './payments/refresh-payment.ts';
import { MAXIMUM_MICROS, minimumMicros } from './payments/top-up-terms.ts';
import { cardView, entryView, paymentView } from './views.ts';
import type { WalletDeps } from './wallet-deps.ts';

const PAYMENTS = 100;
const ENTRIES = 50;

/** What confirms a payment is the owner's: not for an admin who sees the account as its owner does. */
const viewFor = (caller: Pick<Caller, 'viewer'>, language: Language, payment: PaymentRow): Payment => {
  const { clientSecret, ...shown } = paymentView(language, payment);
  return caller.viewer || !clientSecret ? shown : { ...shown, clientSecret };
};

/** A refused card is an error, however the refusal became known; any other state is returned as it is. */
const answer = (language: Language, caller: Pick<Caller, 'viewer'>, payment: PaymentRow) => {
  if (payment.status === 'FAILED')
    throw new DomainError('E_CARD_DECLINED', { reason: paymentReasonText(language, payment.reason) });
  const authenticate = payment.status === 'PENDING' && payment.clientSecret !== null;
  return {
    payment: viewFor(caller, language, payment),
    message: text(language, `wallet.paid.${authenticate ? 'authenticate' : payment.status}`),
  };
};

/** Somebody who adds or charges cards without end is trying out stolen numbers. */
export interface WalletRouteDeps extends WalletDeps {
  workshop: ThreadPool;
  limits: Pick<Limits, 'consume'>;
}

const cardRoutes = (deps: WalletRouteDeps): CallerRoutes => ({
  'GET /cards': async ({ caller }) => {
    const { db, processor, hkdPerUsd } = deps;
    const cards = await listCards(db, { accountId: caller.accountId, processor: processor.name });
    return {
      cards: cards.map(cardView),
      topUp: {
        minimum: numberFromMicros(minimumMicros(hkdPerUsd)),
        maximum: numberFromMicros(MAXIMUM_MICROS),
        hkdPerUsd: Number(hkdPerUsd),
      },
      provider: processor.name,
      publishableKey: processor.publishableKey,
    };
  },
  'POST /cards/intent': async ({ caller }) => {
    await deps.limits.consume('card-account', caller.accountId);
    return {
      client_secret: await beginCard(deps, caller.accountId),
      provider: deps.processor.name,
      publishableKey: deps.processor.publishableKey,
    };
  },
  'POST /cards': async ({ caller, body, language }) => ({
    card: cardView(await keepCard(deps, caller.accountId, body.auth)),
    message: text(language, 'wallet.cardAdded'),
  }),
  'PUT /cards/:cardId': async ({ caller, params, language }) => {
    await setDefaultCard(deps, caller.accountId, params.cardId);
    return { message: text(language, 'wallet.cardUpdated') };
  },
  'DELETE /cards/:cardId': async ({ caller, params, language }) => {
    await removeCard(deps, caller.accountId, params.cardId);
    return { message: text(language, 'wallet.cardRemoved') };
  },
  'POST /cards/:cardId/charge': async ({ caller, params, body, headers, language }) => {
    await deps.limits.consume('card-account', caller.accountId);
    const payment = await chargeCard(deps, {
      accountId: caller.accountId,
      cardId: params.cardId,
      amount: body.amount,
      idempotencyKey: headers['idempotency-key'],
    });
    return answer(language, caller, payment);
  },
});

const listRoutes = ({ db, contactOf }: WalletDeps): CallerRoutes => ({
  'GET /account/:accountId/payments': async ({ caller, params, query, language }) => {
    requireOwnAccount(caller, params.accountId);
    const limit = query.limit ?? PAYMENTS;
    const found = await listPayments(db, {
      accountId: caller.accountId,
      before: query.before,
      limit: limit + 1,
    });
    return {
      payments: found.slice(0, limit).map((payment) => viewFor(caller, language, payment)),
      more: found.length > limit,
    };
  },
  'GET /account/:accountId/ledger': async ({ caller, params, query, language }) => {
    requireOwnAccount(caller, params.accountId);
    const contact = await contactOf(caller.accountId);
    if (!contact) throw new DomainError('E_NOT_FOUND');
    const limit = query.limit ?? ENTRIES;
    const found = await listEntries(db, {
      ...query,
      accountId: caller.accountId,
      timeZone: contact.timeZone,
      limit: limit + 1,
    });
    return {
      entries: found.slice(0, limit).map((entry) => entryView(language, entry)),
      more: found.length > limit,
    };
  },
});

export const walletRoutes = (deps: WalletRouteDeps): CallerRoutes => ({
  ...cardRoutes(deps),
  ...listRoutes(deps),
  'POST /payments/:paymentId/refresh': async ({ caller, params, language }) =>
    answer(language, caller, await refreshPayment(deps, caller.accountId, params.paymentId)),
  'PUT /account/:accountId/paymentSetting': async ({ caller, params, body, language }) => {
    requireOwnAccount(caller, params.accountId);
    await changePaymentSetting(deps, caller.accountId, body);
    return { message: text(language, 'settings.updated') };
  },
});

/** Answers that are files, not JSON. */
export const walletFiles = (deps: WalletRouteDeps): CallerFiles => ({
  'GET /account/:accountId/ledger.csv': callerFile({
    summary: 'Every movement of the balance as a CSV file',
    params: accountParams,
    query: ledgerFilter,
    answer: async ({ caller, params: { accountId }, query, language }) => {
      requireOwnAccount(caller, accountId);
      return {
        contentType: 'text/csv; charset=utf-8',
        fileName: 'ledger.csv',
        body: await ledgerCsv(deps, { ...query, accountId, language }),
      };
    },
  }),
  'GET /account/:accountId/payments/:paymentId/receipt.pdf': callerFile({
    summary: 'The receipt of a top-up as a PDF file',
    params: receiptParams,
    answer: async ({ caller, params: { accountId, paymentId }, language }) => {
      requireOwnAccount(caller, accountId);
      return {
        contentType: 'application/pdf',
        fileName: `receipt-${paymentId.slice(0, 8)}.pdf`,
        body: await receiptPdf(deps, { accountId, paymentId, language }),
      };
    },
  }),
});

/** Where the card provider reports the outcome of a charge. */
export const processorWebhooks = (deps: WalletDeps): Webhooks => ({
  [`POST /webhooks/${deps.processor.name === 'sandbox' ? 'sandbox' : 'stripe'}`]: {
    summary: 'Where the card provider reports what became of a charge, signed in its own way',
    answer: async ({ body, headers, log }) => {
      if ((await receiveProcessorEvent(deps, body, headers)) === 'bad-signature') {
        log.warn({}, 'a webhook with a wrong signature');
        throw new DomainError('E_INVALID_REQUEST', { reason: 'signature' });
      }
      return {
        status: 200,
        type: 'application/json; charset=utf-8',
        body: JSON.stringify({ received: true }),
      };
    },
  },
});
