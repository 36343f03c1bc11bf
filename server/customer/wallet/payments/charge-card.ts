import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { chargeMinor } from '../../../../contract/customer/settlement.ts';
import type { CardId } from '../../../../contract/customer/wallet.ts';
import { DomainError } from '../../../ground/domain-error.ts';
import { type CardRow, findCard } from '../cards/card-store.ts';
import { lockWallet } from '../store.ts';
import type { WalletDeps } from '../wallet-deps.ts';
import { makeCharge } from './make-charge.ts';
import { findByKey, insertPayment, type PaymentRow, readPayment } from './payment-store.ts';
import { requestHash } from './request-hash.ts';
import { acceptAmount, acceptTopUp } from './top-up-terms.ts';

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

/**
 * Stores the payment; undefined if a concurrent request used the key. Removing a card and closing an account lock the
 * wallet too, so after either no charge begins.
 */
const begin = (
  { db, processor, hkdPerUsd }: WalletDeps,
  { accountId, cardId, amount, idempotencyKey }: TopUp,
  hash: Buffer,
): Promise<{ payment: PaymentRow; card: CardRow } | undefined> =>
  db.transaction().execute(async (trx) => {
    const { currency } = await lockWallet(trx, accountId);
    const card = await findCard(trx, { accountId, processor: processor.name }, cardId);
    if (!card) throw new DomainError('E_CARD_UNKNOWN');
    const amountMicros = acceptTopUp(amount, hkdPerUsd);
    const paymentId = await insertPayment(trx, {
      accountId,
      type: 'TOP_UP',
      status: 'PENDING',
      amountMicros,
      currency,
      chargeMinor: chargeMinor(amountMicros, currency, hkdPerUsd),
      cardId,
      processor: processor.name,
      idempotencyKey,
      requestHash: idempotencyKey === undefined ? undefined : hash,
    });
    const payment = paymentId && (await readPayment(trx, paymentId));
    return payment && { payment, card };
  });

/**
 * Tops up by a card. The payment is stored before the provider is called, under the id that the provider also gets:
 * whatever happens to the reply, the payment can be found again. A repeat of the key gets the first payment, even if
 * the card or the terms have changed since.
 */
export const chargeCard = async (deps: WalletDeps, topUp: TopUp): Promise<PaymentRow> => {
  const hash = requestHash([topUp.cardId, acceptAmount(topUp.amount)]);
  const repeated = await findRepeated(deps, topUp, hash);
  if (repeated) return repeated;
  const begun = await begin(deps, topUp, hash);
  if (begun) return makeCharge(deps, { ...begun, onSession: true });
  const first = await findRepeated(deps, topUp, hash);
  if (!first) throw new Error('a payment that was written down is gone');
  return first;
};
