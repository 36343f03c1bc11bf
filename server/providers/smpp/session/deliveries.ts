import type { SmppMessage } from '../codec/message-reader.ts';
import { STATUS } from '../codec/statuses.ts';
import type { Mode } from './session-steps.ts';

interface DeliveryEvents {
  /** Resolves once it is stored: only then is it acknowledged. */
  deliver: (message: SmppMessage) => Promise<void>;
  acknowledge: (number: number, status: number) => void;
}

/** Beyond this the far end has to come again, because what waits to be stored is kept in memory. */
export const MAX_DELIVERING = 10_000;

/** With which status a message from the far end is refused at once; undefined if it is taken. */
export const refusalStatus = (
  message: SmppMessage | undefined,
  mode: Mode,
  delivering: number,
): number | undefined => {
  if (!message) return STATUS.invalidLength;
  if (mode !== 'bound' && mode !== 'unbinding') return STATUS.invalidBindState;
  return delivering >= MAX_DELIVERING ? STATUS.temporaryError : undefined;
};

/** Messages and receipts that came in on a connection and wait to be stored. */
export const openDeliveries = ({ deliver, acknowledge }: DeliveryEvents) => {
  let delivering = 0;
  return (mode: Mode, number: number, message: SmppMessage | undefined) => {
    const refusal = refusalStatus(message, mode, delivering);
    if (refusal !== undefined || !message) return acknowledge(number, refusal ?? STATUS.invalidLength);
    delivering += 1;
    deliver(message)
      .then(
        () => STATUS.ok,
        () => STATUS.temporaryError,
      )
      .then((status) => {
        delivering -= 1;
        acknowledge(number, status);
      });
  };
};
