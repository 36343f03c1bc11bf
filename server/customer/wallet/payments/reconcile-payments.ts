import { setTimeout as sleep } from 'node:timers/promises';
import { runAutoTopUp } from '../auto-top-up/auto-top-up.ts';
import { requestAutoTopUp } from '../auto-top-up/auto-top-up-request.ts';
import { REASONS } from '../auto-top-up/reasons.ts';
import { listAskedTopUps, listWantedTopUps } from '../store.ts';
import type { WalletDeps } from '../wallet-deps.ts';
import { dropOldEvents, listWaitingEvents } from './event-store.ts';
import { findEnd } from './find-end.ts';
import { listChargesOfOthers, readPayment, takePendingCharges } from './payment-store.ts';
import { processEvent } from './receive-processor-event.ts';
import { finishRefunds } from './refund-payment.ts';
import { settlePayment } from './settle-payment.ts';

/** The direct reply usually arrives first. */
const AFTER_SECONDS = 30;
const CHARGES_A_RUN = 200;
/** Providers limit how often they may be called. */
const PAUSE_MS = 20;
/** During a change of providers, reports of the previous one may still arrive. */
const OTHERS_SECONDS = 3600;
/** The queue usually runs it first. */
const ASKED_SECONDS = 60;

/** A failure must not delay the others: it is logged, and tried again next time. */
const each = async <T>(
  { log }: Pick<WalletDeps, 'log'>,
  items: T[],
  mend: (item: T) => Promise<unknown>,
): Promise<void> => {
  for (const item of items)
    try {
      await mend(item);
    } catch (error) {
      log.warn({ err: error, item }, 'not reconciled yet');
    }
};

/** Charges of the previous provider can't be looked up any more. */
const giveUpOthers = async (deps: WalletDeps): Promise<void> => {
  const { db, processor, log } = deps;
  const others = await listChargesOfOthers(db, { processor: processor.name, afterSeconds: OTHERS_SECONDS });
  await each(deps, others, async (paymentId) => {
    log.warn({ paymentId }, 'a charge of another card provider than the one in use is given up');
    await settlePayment(deps, paymentId, { state: 'never-made', reason: REASONS.otherProcessor });
  });
};

/** Finishes what has no outcome yet: charges without a known reply, early events, top-ups that are due. */
export const reconcilePayments = async (deps: WalletDeps, signal?: AbortSignal): Promise<void> => {
  const { db, processor } = deps;
  const pending = await takePendingCharges(db, {
    processor: processor.name,
    afterSeconds: AFTER_SECONDS,
    limit: CHARGES_A_RUN,
  });
  await each(deps, pending, async ({ paymentId, ageSeconds }) => {
    if (signal?.aborted) return;
    const payment = await readPayment(db, paymentId);
    const end = payment && (await findEnd(deps, payment, ageSeconds));
    if (end) await settlePayment(deps, paymentId, end);
    await sleep(PAUSE_MS);
  });
  await finishRefunds(deps, Math.max(AFTER_SECONDS, processor.chargeTimeoutMs / 1000));
  await giveUpOthers(deps);
  for (const eventId of await dropOldEvents(db))
    deps.log.warn({ eventId }, 'an event waited a week for its payment and is dropped');
  await each(deps, await listWaitingEvents(db, processor.name), (event) => processEvent(deps, event));
  await each(deps, await listWantedTopUps(db), (accountId) =>
    db.transaction().execute((trx) => requestAutoTopUp({ db: trx, queue: deps.queue }, accountId)),
  );
  await each(deps, await listAskedTopUps(db, ASKED_SECONDS), (accountId) => runAutoTopUp(deps, accountId));
};
