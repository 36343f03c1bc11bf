import { setTimeout as sleep } from 'node:timers/promises';
import type { SendOutcome } from '../../lanes/index.ts';
import type { MessageFields } from './pdu-writer.ts';

const REPEATS = 6;
const FIRST_PAUSE_MS = 100;

const isRetryable = (outcome: SendOutcome): boolean => outcome.outcome === 'refused' && outcome.retryable;
const isAccepted = (outcome: SendOutcome): boolean => outcome.outcome === 'accepted';

type PartsOutcome = { outcome: 'accepted'; ids: string[] } | Exclude<SendOutcome, { outcome: 'accepted' }>;

/** The worst outcome decides: if one part is unknown, the message is unknown. */
const conclude = (outcomes: SendOutcome[]): PartsOutcome => {
  const unknown = outcomes.find((one) => one.outcome === 'unknown');
  const taken = outcomes.find((one) => one.outcome === 'accepted')?.providerMessageId;
  if (unknown) return taken ? { ...unknown, providerMessageId: taken } : unknown;
  const refusals = outcomes.filter((one) => one.outcome === 'refused');
  const [refusal] = [...refusals.filter(({ retryable }) => !retryable), ...refusals];
  if (!refusal)
    return {
      outcome: 'accepted',
      ids: outcomes.flatMap((one) => (one.outcome === 'accepted' ? one.providerMessageId : [])),
    };
  // Once some parts were sent, the message can't be sent again as a whole.
  if (outcomes.some(isAccepted))
    return { ...refusal, retryable: false, reason: `Only some parts were taken. ${refusal.reason}` };
  return refusal;
};

/** If some parts are deferred while others were accepted, they are retried here: nobody else can. */
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
