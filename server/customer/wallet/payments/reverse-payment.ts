import type { PaymentId } from '../../../../contract/customer/wallet.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import { DISPUTED, REASONS } from '../auto-top-up/reasons.ts';
import { type ProcessorEvent, takesTestCards } from '../card-processor.ts';
import { postEntry } from '../ledger/post-entry.ts';
import { lockWallet, updateWallet, type Wallet } from '../store.ts';
import type { SpendDeps, WalletDeps } from '../wallet-deps.ts';
import {
  findByChargeRef,
  findDispute,
  insertPayment,
  lockPayment,
  type PaymentRow,
  type PaymentStatus,
  updatePayment,
} from './payment-store.ts';
import { findAskedRefund } from './refund-request-store.ts';

type ReversalEvent = Extract<ProcessorEvent, { kind: 'refund' | 'dispute' }>;

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** The dollars of a part of what was charged, rounded half up; the whole is exactly what was credited. */
export const shareMicros = ({ amountMicros, chargeMinor }: PaymentRow, minor: bigint): bigint =>
  (2n * amountMicros * minor + chargeMinor) / (2n * chargeMinor);

/** What a charge may take back: of a test card no real money, and of a real one no money of test cards. */
export const ownMicros = ({ processor }: PaymentRow, { sandboxMicros, balanceMicros }: Wallet): bigint =>
  takesTestCards(processor) ? sandboxMicros : balanceMicros - sandboxMicros;

/** A refund or dispute has its own line in the history. */
const record = (
  { db, processor }: { db: Db; processor: WalletDeps['processor'] },
  payment: PaymentRow,
  line: { type: 'REFUND' | 'DISPUTE'; status: PaymentStatus; minor: bigint; ref?: string; reason?: string },
): Promise<PaymentId | undefined> =>
  insertPayment(db, {
    accountId: payment.accountId,
    type: line.type,
    status: line.status,
    amountMicros: shareMicros(payment, line.minor),
    currency: payment.currency,
    chargeMinor: line.minor,
    cardId: payment.cardId,
    processor: processor.name,
    ofPayment: payment.id,
    chargeRef: line.ref,
    reason: line.reason ?? '',
  });

type Scene = { db: Db; processor: WalletDeps['processor']; payment: PaymentRow; wallet: Wallet };

type Given = Pick<PaymentRow, 'refundedMinor' | 'disputedMinor'>;

const recordRefund = async (
  { db, processor, payment }: Scene,
  event: Extract<ReversalEvent, { kind: 'refund' }>,
): Promise<Given> => {
  // Totals so far, so the larger one is newer.
  const refundedMinor = max(payment.refundedMinor, min(event.refundedMinor, payment.chargeMinor));
  const minor = refundedMinor - payment.refundedMinor;
  if (minor > 0n) await record({ db, processor }, payment, { type: 'REFUND', status: 'SUCCESS', minor });
  return { refundedMinor, disputedMinor: payment.disputedMinor };
};

const STATUS_OF_DISPUTE = { open: 'PENDING', lost: 'SUCCESS', won: 'FAILED' } as const;

const recordDispute = async (
  { db, processor, payment, wallet }: Scene,
  event: Extract<ReversalEvent, { kind: 'dispute' }>,
): Promise<Given> => {
  const { refundedMinor } = payment;
  const outcome = event.lost === undefined ? 'open' : event.lost ? 'lost' : 'won';
  const minor = min(event.disputedMinor, payment.chargeMinor);
  const { disputeRef: ref } = event;
  const known = await findDispute(db, { ofPayment: payment.id, ref });
  // A closed dispute stays closed: the report of its opening may arrive after that of its end.
  if (known && (known.status !== 'PENDING' || outcome === 'open'))
    return { refundedMinor, disputedMinor: payment.disputedMinor };
  const status = STATUS_OF_DISPUTE[outcome];
  const reason = outcome === 'won' ? REASONS.disputeWon : '';
  if (known) await updatePayment(db, known.id, { status, reason });
  else await record({ db, processor }, payment, { type: 'DISPUTE', status, minor, ref, reason });
  // Automatic top-up must not charge a customer again who disputes a charge.
  if (outcome !== 'won' && wallet.autoCharge && wallet.cardId === payment.cardId)
    await updateWallet(db, payment.accountId, { auto_charge: false, auto_charge_stopped: DISPUTED });
  // Of all disputes of the charge: only this one's part changes.
  const others = payment.disputedMinor - (known?.chargeMinor ?? 0n);
  return { refundedMinor, disputedMinor: others + (outcome === 'won' ? 0n : minor) };
};

type Owner = Pick<Scene, 'payment' | 'wallet'>;
type Reversal = { cause: string; paymentType: 'REFUND' | 'DISPUTE' };

/**
 * Takes back what the provider returned to the card. If the balance no longer covers it, what is there is taken and the
 * rest is our loss; winning a dispute repays the loss first, then the balance.
 */
const move = async (
  deps: SpendDeps,
  { payment, wallet }: Owner,
  { targetMicros, cause, paymentType }: Reversal & { targetMicros: bigint },
): Promise<bigint> => {
  const total = targetMicros - payment.reversedMicros;
  if (total === 0n) return payment.lostMicros;
  const own = ownMicros(payment, wallet);
  const fromBalance = total > 0n ? min(total, own) : total + min(payment.lostMicros, -total);
  const lost = total - fromBalance;
  await postEntry(deps, {
    accountId: payment.accountId,
    kind: 'REVERSAL',
    cause,
    postings: { AVAILABLE: -fromBalance, LOSSES: -lost, CARDS: total },
    details: {
      paymentId: payment.id,
      paymentType,
      card: { brand: payment.brand, last4: payment.last4 },
    },
    sandbox: takesTestCards(payment.processor),
  });
  return payment.lostMicros + lost;
};

/** A refund that is asked for counts as given, so that its money is not spent before the provider answers. */
const reverse = async (deps: SpendDeps, owner: Owner, given: Given, reversal: Reversal): Promise<void> => {
  const { payment } = owner;
  const asked = await findAskedRefund(deps.db, payment.id);
  const refundedMinor = max(given.refundedMinor, asked ? asked.refundedMinor + asked.amountMinor : 0n);
  const targetMicros = shareMicros(payment, min(refundedMinor + given.disputedMinor, payment.chargeMinor));
  const lostMicros = await move(deps, owner, { ...reversal, targetMicros });
  await updatePayment(deps.db, payment.id, {
    refunded_minor: given.refundedMinor,
    disputed_minor: given.disputedMinor,
    reversed_micros: targetMicros,
    lost_micros: lostMicros,
  });
};

/** Takes a refund that is asked for from the balance, and gives back that of a refused one. Both are locked. */
export const holdRefund = (deps: SpendDeps, owner: Owner, cause: string): Promise<void> =>
  reverse(deps, owner, owner.payment, { cause, paymentType: 'REFUND' });

/** Returns whether it was done; if not, the payment itself has to be settled first. */
export const reversePayment = async (
  { db, queue, processor, log }: Pick<WalletDeps, 'db' | 'queue' | 'processor' | 'log'>,
  event: ReversalEvent,
): Promise<boolean> => {
  const known = await findByChargeRef(db, { processor: processor.name, chargeRef: event.chargeRef });
  if (!known) return false;
  if (known.currency !== event.currency) {
    log.error(
      { paymentId: known.id, eventId: event.eventId },
      'a reversal in another currency than the charge',
    );
    return false;
  }
  return db.transaction().execute(async (trx) => {
    const wallet = await lockWallet(trx, known.accountId);
    const payment = await lockPayment(trx, known.id);
    if (payment.status !== 'SUCCESS') return false;
    const scene = { db: trx, processor, payment, wallet };
    const given =
      event.kind === 'refund' ? await recordRefund(scene, event) : await recordDispute(scene, event);
    await reverse({ db: trx, queue }, scene, given, {
      cause: `event:${event.eventId}`,
      paymentType: event.kind === 'refund' ? 'REFUND' : 'DISPUTE',
    });
    return true;
  });
};
