import type { AccountId } from '../../contract/accounts.ts';
import { chargeMinor } from '../../contract/settlement.ts';
import type { CardId, PaymentId } from '../../contract/wallet.ts';
import { DomainError } from '../domain-error.ts';
import { type CardRow, findCard } from './card-store.ts';
import { makeCharge } from './make-charge.ts';
import { findByKey, insertPayment, type PaymentRow, readPayment } from './payment-store.ts';
import { requestHash } from './request-hash.ts';
import { readWallet } from './store.ts';
import { acceptAmount, acceptTopUp } from './top-up-terms.ts';
import type { WalletDeps } from './wallet-deps.ts';

interface TopUp {
  accountId: AccountId;
  cardId: CardId;
  /** In USD, as it was typed. */
  amount: string | number;
  idempotencyKey: string | undefined;
}

/** The payment that the key was used for before; throws if that was another request. */
const findRepeated = async (
  { db }: Pick<WalletDeps, 'db'>,
  { accountId, idempotencyKey }: TopUp,
  hash: Buffer,
): Promise<PaymentRow | undefined> => {
  if (idempotencyKey === undefined) return undefined;
  const known = await findByKey(db, accountId, idempotencyKey);
  if (known && !known.requestHash?.equals(hash)) throw new DomainError('E_IDEMPOTENCY_KEY_REUSED');
  return known;
};

/** Undefined if a concurrent request used the key. */
const begin = async (
  { db, processor, hkdPerUsd }: WalletDeps,
  { accountId, amount, idempotencyKey }: TopUp,
  { card, hash }: { card: CardRow; hash: Buffer },
): Promise<PaymentId | undefined> => {
  const amountMicros = acceptTopUp(amount, hkdPerUsd);
  const { currency } = await readWallet(db, accountId);
  return insertPayment(db, {
    accountId,
    type: 'TOP_UP',
    status: 'PENDING',
    amountMicros,
    currency,
    chargeMinor: chargeMinor(amountMicros, currency, hkdPerUsd),
    cardId: card.id,
    processor: processor.name,
    idempotencyKey,
    requestHash: idempotencyKey === undefined ? undefined : hash,
  });
};

/**
 * Tops up by a card. The payment is stored before the provider is called, under the id that the provider also gets:
 * whatever happens to the reply, the payment can be found again. A repeat of the key gets the first payment, even if
 * the card or the terms have changed since.
 */
export const chargeCard = async (deps: WalletDeps, topUp: TopUp): Promise<PaymentRow> => {
  const { db, processor } = deps;
  const hash = requestHash([topUp.cardId, acceptAmount(topUp.amount)]);
  const repeated = await findRepeated(deps, topUp, hash);
  if (repeated) return repeated;
  const card = await findCard(db, { accountId: topUp.accountId, processor: processor.name }, topUp.cardId);
  if (!card) throw new DomainError('E_CARD_UNKNOWN');
  const made = await begin(deps, topUp, { card, hash });
  const payment = made ? await readPayment(db, made) : await findRepeated(deps, topUp, hash);
  if (!payment) throw new Error('a payment that was written down is gone');
  return made ? makeCharge(deps, { payment, card, onSession: true }) : payment;
};
