import type { AccountId } from '../../contract/accounts.ts';
import type { CardId, PaymentId } from '../../contract/wallet.ts';
import { DomainError } from '../domain-error.ts';
import { type CardRow, findCard } from './card-store.ts';
import { makeCharge } from './make-charge.ts';
import { findByKey, insertPayment, type PaymentRow, readPayment } from './payment-store.ts';
import { requestHash } from './request-hash.ts';
import { readWallet } from './store.ts';
import { acceptTopUp, chargeMinor } from './top-up-terms.ts';
import type { WalletDeps } from './wallet-deps.ts';

export interface TopUp {
  accountId: AccountId;
  cardId: CardId;
  /** In USD, as it was typed. */
  amount: string | number;
  idempotencyKey: string | undefined;
}

type Begun = { made: PaymentId } | { repeated: PaymentRow };

const begin = async (
  { db, processor, hkdPerUsd }: WalletDeps,
  { accountId, amount, idempotencyKey }: TopUp,
  card: CardRow,
): Promise<Begun> => {
  const amountMicros = acceptTopUp(amount, hkdPerUsd);
  const { currency } = await readWallet(db, accountId);
  const hash = idempotencyKey === undefined ? undefined : requestHash([card.id, amountMicros]);
  const made = await insertPayment(db, {
    accountId,
    type: 'TOP_UP',
    status: 'PENDING',
    amountMicros,
    currency,
    chargeMinor: chargeMinor(amountMicros, currency, hkdPerUsd),
    cardId: card.id,
    processor: processor.name,
    idempotencyKey,
    requestHash: hash,
  });
  if (made) return { made };
  const known = await findByKey(db, accountId, idempotencyKey ?? '');
  if (!known?.requestHash || !hash?.equals(known.requestHash))
    throw new DomainError('E_IDEMPOTENCY_KEY_REUSED');
  return { repeated: known };
};

/**
 * Tops up by a card. The payment is written down before the provider is asked, under the id that the
 * provider also knows it by: whatever happens to the reply, it is found again. A repeat of the key gets
 * the first payment.
 */
export const chargeCard = async (deps: WalletDeps, topUp: TopUp): Promise<PaymentRow> => {
  const { db, processor } = deps;
  const card = await findCard(db, { accountId: topUp.accountId, processor: processor.name }, topUp.cardId);
  if (!card) throw new DomainError('E_CARD_UNKNOWN');
  const begun = await begin(deps, topUp, card);
  if ('repeated' in begun) return begun.repeated;
  const payment = await readPayment(db, begun.made);
  if (!payment) throw new Error(`payment ${begun.made} is gone`);
  return makeCharge(deps, { payment, card, onSession: true });
};
