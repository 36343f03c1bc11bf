import type { ProcessorEvent } from '../card-processor.ts';
import type { WalletDeps } from '../wallet-deps.ts';
import { keepEvent, markProcessed } from './event-store.ts';
import { reversePayment } from './reverse-payment.ts';
import { settlePayment } from './settle-payment.ts';

/** Processes an event and records that it was processed. Processing it twice changes nothing. */
export const processEvent = async (deps: WalletDeps, event: ProcessorEvent): Promise<void> => {
  const done = event.kind === 'refund' || event.kind === 'dispute' ? await reversePayment(deps, event) : true;
  if (event.kind === 'charge' && !(await settlePayment(deps, event.paymentId, event.charge)))
    deps.log.warn({ eventId: event.eventId }, 'an event names a payment that is not ours');
  if (event.kind === 'refund-failed')
    deps.log.error(
      { eventId: event.eventId, chargeRef: event.chargeRef },
      'a refund did not reach the card: give its dollars back by an adjustment',
    );
  if (done) await markProcessed(deps.db, { processor: deps.processor.name, eventId: event.eventId });
};

/** A webhook as it arrived: the signature covers exactly these bytes. */
export const receiveProcessorEvent = async (
  deps: WalletDeps,
  rawBody: Buffer,
  headers: Record<string, string | string[] | undefined>,
): Promise<'ok' | 'bad-signature'> => {
  const event = deps.processor.readEvent(rawBody, headers);
  if (!event) return 'bad-signature';
  if (event.kind === 'ignored') return 'ok';
  if (await keepEvent(deps.db, { processor: deps.processor.name, event })) await processEvent(deps, event);
  return 'ok';
};
