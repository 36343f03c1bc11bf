import type { Outgoing, PartNote, SendOutcome } from '../../traffic/lanes/index.ts';
import type { MessageFields } from './codec/pdu-writer.ts';
import { isThrottle } from './codec/statuses.ts';
import { AWAY } from './not-sent.ts';
import { isLastTry, repeatPauseMs } from './repeats.ts';
import { sendParts } from './send-parts.ts';
import type { Settle } from './session/submits.ts';
import type { SubmitQueue } from './submit-queue.ts';

/** A message centre that has taken nothing for this long takes nothing. */
const TAKING_MS = 1_000;

interface Sending {
  queue: SubmitQueue;
  /** The id to keep for an answer. */
  answeredId: (id: string) => string;
  /** Notes what changed; false if that can't be. */
  note: (message: Outgoing, note: PartNote) => boolean;
  isConnected: () => boolean;
  isClosing: () => boolean;
}

/**
 * Sends messages of one part and of several. Remembered: when the far end took something last, and whether a message
 * was settled since the last look for room.
 */
export const openSending = ({ queue, answeredId, note, isConnected, isClosing }: Sending) => {
  let takenAt = Number.NEGATIVE_INFINITY;
  let hasSettled = false;

  /** Whether the far end has taken something just now, even if it refuses this. */
  const isTaking = (): boolean => !isClosing() && performance.now() - takenAt < TAKING_MS;
  /** Without the far end's id no receipt can be matched, but the message is accepted all the same. */
  const accepted = (said: SendOutcome): SendOutcome => {
    if (said.outcome !== 'accepted') return said;
    takenAt = performance.now();
    const { providerMessageId } = said;
    return providerMessageId === '' ? said : { ...said, providerMessageId: answeredId(providerMessageId) };
  };

  const noteWhole = (message: Outgoing, state: 'waiting' | 'unknown'): boolean =>
    note(message, { number: 1, total: 1, part: { state } });
  /** One that is throttled while others are taken is tried again alone: the lane goes on. In between it was not sent. */
  const sendOne = (message: Outgoing, fields: MessageFields, settle: Settle, repeat = 0): void => {
    // The first time that it is handed over is noted by whoever handed it to us.
    const rest =
      repeat > 0 ? { handed: () => noteWhole(message, 'unknown'), isBegun: () => false } : undefined;
    const answered = (said: SendOutcome) => {
      const isRepeated = isThrottle(said) && !isLastTry(repeat) && isTaking();
      hasSettled ||= !isRepeated;
      if (!isRepeated) return settle(accepted(said));
      noteWhole(message, 'waiting');
      setTimeout(() => {
        if (isConnected() && !isClosing()) sendOne(message, fields, settle, repeat + 1);
        else settle(said);
      }, repeatPauseMs(repeat)).unref();
    };
    queue.submit(fields, answered, rest);
  };
  return {
    sendOne,
    sendLong: (message: Outgoing, parts: MessageFields[]): Promise<SendOutcome> =>
      sendParts(parts, {
        submit: (fields, rest) =>
          isConnected()
            ? new Promise((settle) => queue.submit(fields, (said) => settle(accepted(said)), rest))
            : Promise.resolve(AWAY),
        note: (change) => note(message, change),
        isTaking,
      }),
    /** A message that is settled lets the next one go by itself; other room has to be told. */
    hasSettled: (): boolean => hasSettled,
    forgetSettled: (): void => {
      hasSettled = false;
    },
  };
};
