import { setTimeout as sleep } from 'node:timers/promises';
import type { PartNote, SendOutcome, SentPart } from '../../traffic/lanes/index.ts';
import type { MessageFields } from './codec/pdu-writer.ts';
import { isThrottle } from './codec/statuses.ts';
import { isLastTry, repeatPauseMs } from './repeats.ts';
import type { Rest } from './submit-queue.ts';

type Refused = SendOutcome & { outcome: 'refused' };
export type Submit = (part: MessageFields, rest: Rest) => Promise<SendOutcome>;

interface Progress {
  fields: MessageFields;
  known: SentPart;
  /** The last answer, while it was one to try again after. */
  refused: Refused | undefined;
}

const partOf = (said: SendOutcome): SentPart => {
  if (said.outcome === 'accepted')
    return { state: 'taken', ...(said.providerMessageId !== '' && { id: said.providerMessageId }) };
  if (said.outcome === 'unknown') return { state: 'unknown', reason: said.reason };
  return { state: 'refused', code: said.code, reason: said.reason };
};

const UNANSWERED = 'The answer for a part of it is missing.';

/** What became of all parts. If certainly none was sent, that is the answer, and the message may be tried again. */
const conclude = (parts: readonly Progress[]): SendOutcome => {
  const known = parts.map((part) => part.known);
  const deferred = parts.flatMap(({ refused }) => refused ?? []);
  const [first] = deferred;
  if (first && deferred.length === parts.length) return first;
  const refusals = parts.filter((part) => part.known.state === 'refused');
  const refusal = (refusals.find(({ refused }) => !refused) ?? refusals[0])?.known;
  if (refusal) {
    const { code = '', reason = '' } = refusal;
    const isAlone = known.every(({ state }) => state === 'refused');
    return { outcome: 'refused', code, reason, retryable: false, ...(!isAlone && { parts: known }) };
  }
  const silent = known.find(({ state }) => state === 'unknown');
  if (silent) return { outcome: 'unknown', reason: silent.reason ?? UNANSWERED, parts: known };
  return { outcome: 'accepted', providerMessageId: known.find(({ id }) => id)?.id ?? '', parts: known };
};

interface Sending {
  submit: Submit;
  /** Notes what changed; false if that can't be. */
  note: (note: PartNote) => boolean;
  /** Whether others are taken while this one is not. */
  isTaking: () => boolean;
}

/**
 * Sends the parts of a message, each by itself: one that is refused for now is tried again alone, as long as the message
 * can still become whole and the far end has taken another part of it or takes other messages. Nobody else could: with a
 * part that was taken the message can't be sent again.
 */
export const sendParts = async (
  fields: readonly MessageFields[],
  { submit, note, isTaking }: Sending,
): Promise<SendOutcome> => {
  const total = fields.length;
  const all = fields.map((of): Progress => ({ fields: of, known: { state: 'waiting' }, refused: undefined }));
  const isLost = (): boolean => all.some(({ known, refused }) => known.state === 'refused' && !refused);
  const isBegun = (): boolean =>
    all.some(({ known }) => known.state === 'taken' || known.state === 'unknown');

  /** Certainly nothing of it was sent, and nothing is: then no part may go out any more. */
  let isGivenUp = false;

  const sendOne = async (one: Progress, number: number): Promise<void> => {
    for (let repeat = 0; ; repeat += 1) {
      const handed = (): boolean => {
        if (isGivenUp || !note({ number, total, part: { state: 'unknown' } })) return false;
        one.known = { state: 'unknown' };
        return true;
      };
      one.refused = undefined;
      one.known = { state: 'waiting' };
      const said = await submit(one.fields, { handed, isBegun });
      one.known = partOf(said);
      one.refused = said.outcome === 'refused' && said.retryable ? said : undefined;
      note({ number, total, part: one.refused ? { state: 'waiting' } : one.known });
      if (!one.refused) return;
      isGivenUp ||= !isBegun() && (isLastTry(repeat) || !isThrottle(said) || !isTaking());
      if (isLost() || isGivenUp || isLastTry(repeat)) return;
      await sleep(repeatPauseMs(repeat));
      if (isLost() || isGivenUp) return;
    }
  };
  // Whatever waits for room was not handed over.
  note({ number: 1, total, part: { state: 'waiting' } });
  await Promise.all(all.map((one, index) => sendOne(one, index + 1)));
  return conclude(all);
};
