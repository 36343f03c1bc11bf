import { setTimeout as sleep } from 'node:timers/promises';
import { runAutoTopUp } from './auto-top-up.ts';
import { listWaitingEvents } from './event-store.ts';
import { findEnd } from './find-end.ts';
import { readPayment, takePendingCharges } from './payment-store.ts';
import { processEvent } from './receive-processor-event.ts';
import { settlePayment } from './settle-payment.ts';
import { listAskedTopUps } from './store.ts';
import type { WalletDeps } from './wallet-deps.ts';

/** The direct reply mostly comes first. */
const AFTER_SECONDS = 30;
const CHARGES_A_RUN = 200;
/** Providers bound how often they may be asked. */
const PAUSE_MS = 20;
/** The queue mostly comes first. */
const ASKED_SECONDS = 60;

/** One that can't be mended now must not keep the others waiting: it is told, and comes again next time. */
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

/** Finds the end of what has none yet: charges without a known reply, early events, top-ups that were asked for. */
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
  await each(deps, await listWaitingEvents(db, processor.name), (event) => processEvent(deps, event));
  await each(deps, await listAskedTopUps(db, ASKED_SECONDS), (accountId) => runAutoTopUp(deps, accountId));
};
