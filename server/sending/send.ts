import { createHash } from 'node:crypto';
import type { Channel } from '../../contract/messages.ts';
import { openBatcher } from '../batching/index.ts';
import { DomainError } from '../domain-error.ts';
import type { Sender } from '../route/index.ts';
import { type Accepted, acceptSingles, answerAgain, type Single } from './accept-singles.ts';
import { claimCountries, isNewCountry } from './claim-countries.ts';
import { findKeys, type Key } from './key-store.ts';
import { placeInConversation } from './place-in-conversation.ts';
import { allowSenders, place, prepare, readKnown, readTerms, type Wanted } from './prepare.ts';
import { readSchedule, type WantedSchedule } from './schedule.ts';
import type { SendingDeps } from './sending-deps.ts';
import { WHATSAPP_ONLY } from './whatsapp-content.ts';

/** More per commit gain nothing. */
const MAX_ITEMS = 500;
/** Emails with HTML are large. */
const MAX_CHARACTERS = 8_000_000;
/** A caller who asks again as soon as he is answered has done so by then. */
const MAX_DELAY_MS = 3;

export interface SendRequest {
  sender: Sender;
  channel: Channel;
  wanted: Wanted & WantedSchedule;
  idempotencyKey: string | undefined;
}

export type Send = (request: SendRequest) => Promise<Accepted>;

const keyOf = ({ sender, channel, wanted, idempotencyKey }: SendRequest): Key | undefined => {
  if (idempotencyKey === undefined) return undefined;
  const { recipientRaw, message, fromPhone, countryCode, subject, html, sendAt, lateLimitMinutes } = wanted;
  const asked = [
    channel,
    sender.test,
    recipientRaw,
    message,
    fromPhone,
    countryCode,
    subject,
    html,
    sendAt,
    lateLimitMinutes,
  ];
  // After the fields that older keys were hashed from, so that those stay valid.
  const rich = WHATSAPP_ONLY.map((name) => wanted[name] ?? null);
  if (rich.some((value) => value !== null)) asked.push(JSON.stringify(rich));
  if (wanted.identifier !== undefined) asked.push(`identifier ${wanted.identifier}`);
  return {
    accountId: sender.accountId,
    key: idempotencyKey,
    requestHash: createHash('sha256').update(JSON.stringify(asked)).digest(),
  };
};

const orThrow = (verdict: Accepted | Error): Accepted => {
  if (verdict instanceof Error) throw verdict;
  return verdict;
};

/** Accepts single messages; resolves once the message is stored and paid for. */
export const openSend = (deps: SendingDeps): Send => {
  const openAcceptance = () =>
    openBatcher<Single, Accepted | Error>({
      flush: (singles) => acceptSingles(deps, singles),
      maxItems: MAX_ITEMS,
      size: {
        of: ({ prepared: { message, html } }) => message.length + (html?.length ?? 0),
        max: MAX_CHARACTERS,
      },
      maxDelayMs: MAX_DELAY_MS,
      alternateHalves: true,
    });
  const now = openAcceptance();
  // Each time to send is a batch, and so a round of its own: nobody who sends now waits for that.
  const later = openAcceptance();

  const prepareSingle = async (request: SendRequest, key: Key | undefined): Promise<Single> => {
    const { sender, channel, wanted } = request;
    const { accountId, test } = sender;
    const terms = await readTerms(deps, { accountId, channel, test });
    if (wanted.sendAt) terms.schedule = await readSchedule(deps, accountId, wanted);
    if (wanted.fromPhone) await allowSenders(deps, terms, [wanted.fromPhone]);
    let prepared = prepare(terms, wanted);
    if (channel === 'whatsapp') prepared = await placeInConversation(deps, terms, prepared);
    if (isNewCountry(deps, terms, prepared)) await claimCountries(deps, terms, [prepared]);
    await readKnown(deps, deps.db, { terms, messages: [prepared] });
    return { sender, terms, prepared, placement: place(terms, prepared), key };
  };

  return async (request) => {
    const key = keyOf(request);
    let single: Single;
    try {
      single = await prepareSingle(request, key);
    } catch (refusal) {
      // A message that can't be accepted now may have been accepted before: a repeat gets that answer.
      const [known] = key && refusal instanceof DomainError ? await findKeys(deps.db, [key]) : [];
      if (!key || !known) throw refusal;
      return orThrow(answerAgain<Accepted>(key, known));
    }
    return orThrow(await (single.terms.schedule ? later : now).add(single));
  };
};
