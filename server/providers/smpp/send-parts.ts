import { setTimeout as sleep } from 'node:timers/promises';
import type { SendOutcome } from '../../lanes/index.ts';
import type { MessageFields } from './pdu-writer.ts';

const REPEATS = 6;
const FIRST_PAUSE_MS = 100;

const isRetryable = (outcome: SendOutcome): boolean => outcome.outcome === 'refused' && outcome.retryable;
const isAccepted = (outcome: SendOutcome): boolean => outcome.outcome === 'accepted';

export type PartsOutcome =
  | { outcome: 'accepted'; ids: string[] }
  | Exclude<SendOutcome, { outcome: 'accepted' }>;

/** The worst decides: what is unknown of one part is unknown of the message. */
const conclude = (outcomes: SendOutcome[]): PartsOutcome => {
  const unknown = outcomes.find((one) => one.outcome === 'unknown');
  if (unknown) return unknown;
  const refusals = outcomes.filter((one) => one.outcome === 'refused');
  const [refusal] = [...refusals.filter(({ retryable }) => !retryable), ...refusals];
  if (!refusal)
    return {
      outcome: 'accepted',
      ids: outcomes.flatMap((one) => (one.outcome === 'accepted' ? one.providerMessageId : [])),
    };
  // Once some parts are on their way the message can't be sent again as a whole.
  if (outcomes.some(isAccepted))
    return { ...refusal, retryable: false, reason: `Only some parts were taken. ${refusal.reason}` };
  return refusal;
};

/** Parts that are refused for now, while others were taken, are tried again here: nobody else can. */
export const sendParts = async (
  parts: MessageFields[],
  submit: (part: MessageFields) => Promise<SendOutcome>,
): Promise<PartsOutcome> => {
  const outcomes = await Promise.all(parts.map(submit));
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const inVain = outcomes.some((one) => !isAccepted(one) && !isRetryable(one));
    if (inVain || !outcomes.some(isAccepted) || !outcomes.some(isRetryable)) break;
    await sleep(FIRST_PAUSE_MS * 2 ** repeat);
    await Promise.all(
      parts.map(async (part, index) => {
        const before = outcomes[index];
        if (before && isRetryable(before)) outcomes[index] = await submit(part);
      }),
    );
  }
  return conclude(outcomes);
};
