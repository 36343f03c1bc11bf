import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Channel } from '../../../contract/ground/channels.ts';
import { type Batcher, openBatcher } from '../../ground/batching/index.ts';
import { DomainError } from '../../ground/domain-error.ts';
import { openConcurrencyLimit } from '../../ground/limits/index.ts';
import type { SendingAccount } from '../../ground/route/index.ts';
import { unitCost } from '../routing/index.ts';
import {
  type AcceptedSingle,
  acceptSingles,
  answerAgain,
  type Defer,
  type Single,
  type SingleOutcome,
} from './accepting/accept-singles.ts';
import { findKeys, type IdempotencyKey } from './accepting/key-store.ts';
import { allowSenders } from './allow-senders.ts';
import { claimCountries, isNewCountry } from './claim-countries.ts';
import { limitTestTexts, storedLength } from './limit-test-texts.ts';
import { placeInConversation } from './place-in-conversation.ts';
import { type MessageRequest, type Prepared, place, prepare, readKnown } from './prepare.ts';
import { requestHash } from './request-hash.ts';
import { readSchedule, type WantedSchedule } from './schedule.ts';
import type { SendingDeps } from './sending-deps.ts';
import { readTerms, type Terms } from './terms.ts';
import { WHATSAPP_ONLY } from './whatsapp-content.ts';

/** More per commit gain nothing. */
const MAX_ITEMS = 500;
/** Emails with HTML are large. */
const MAX_CHARACTERS = 8_000_000;
/** How long a flush waits for callers who send their next message as soon as the last one is answered. */
const MAX_DELAY_MS = 3;
/** Each holds a connection while its wallet is locked. */
const MAX_WAITING_ACCOUNTS = 4;

export interface SendRequest {
  sender: SendingAccount;
  channel: Channel;
  wanted: MessageRequest & WantedSchedule;
  idempotencyKey: string | undefined;
  /** By this lane and no other: an admin tests it. */
  laneId?: number;
}

export type Send = (request: SendRequest) => Promise<AcceptedSingle>;

const keyOf = ({ sender, channel, wanted, idempotencyKey }: SendRequest): IdempotencyKey | undefined => {
  if (idempotencyKey === undefined) return undefined;
  const { recipientRaw, message, fromPhone, countryCode, subject, html, sendAt, lateLimitMinutes } = wanted;
  const { identifier } = wanted;
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
    identifier,
    WHATSAPP_ONLY.map((name) => wanted[name]),
  ];
  return {
    accountId: sender.accountId,
    key: idempotencyKey,
    requestHash: requestHash(asked),
  };
};

const orThrow = (verdict: AcceptedSingle | Error): AcceptedSingle => {
  if (verdict instanceof Error) throw verdict;
  return verdict;
};

const boundTo = ({ chooser }: Terms, prepared: Prepared, laneId: number): Prepared => {
  const lane = chooser.lane(laneId);
  if (!lane) throw new DomainError('E_NOT_FOUND');
  return { ...prepared, bound: { lane, why: 'TRIED', unitCostMicros: unitCost(lane, prepared.country) } };
};

/** Accepts single messages; resolves once the message is stored and paid for. */
export const openSend = (deps: SendingDeps): Send => {
  const openAcceptance = (flush: (singles: Single[]) => Promise<SingleOutcome[]>) =>
    openBatcher<Single, SingleOutcome>({
      flush,
      maxItems: MAX_ITEMS,
      size: {
        of: ({ prepared: { message, html } }) => message.length + (html?.length ?? 0),
        max: MAX_CHARACTERS,
      },
      maxDelayMs: MAX_DELAY_MS,
      alternateHalves: true,
    });
  // Each time to send is a batch, and so a round of its own, and a wallet may be locked for long: each account waits
  // for its own.
  const limited = openConcurrencyLimit(MAX_WAITING_ACCOUNTS);
  const waiting = new Map<AccountId, { acceptance: Batcher<Single, SingleOutcome>; count: number }>();
  const later: Defer = async (single) => {
    const { accountId } = single.sender;
    const own = waiting.get(accountId) ?? {
      acceptance: openAcceptance((singles) => limited(() => acceptSingles(deps, singles))),
      count: 0,
    };
    waiting.set(accountId, own);
    own.count += 1;
    try {
      return await own.acceptance.add(single);
    } finally {
      own.count -= 1;
      if (own.count === 0) waiting.delete(accountId);
    }
  };
  const now = openAcceptance((singles) => acceptSingles(deps, singles, later));

  const prepareSingle = async (request: SendRequest, key: IdempotencyKey | undefined): Promise<Single> => {
    const { sender, channel, wanted } = request;
    const { accountId, test } = sender;
    let terms = await readTerms(deps, { accountId, channel, test });
    if (wanted.sendAt) terms = { ...terms, schedule: await readSchedule(deps, accountId, wanted) };
    if (wanted.fromPhone) terms = await allowSenders(deps, terms, [wanted.fromPhone]);
    let prepared = prepare(terms, wanted);
    if (test) await limitTestTexts(deps, terms, storedLength(prepared));
    if (request.laneId !== undefined) prepared = boundTo(terms, prepared, request.laneId);
    else if (channel === 'whatsapp') prepared = await placeInConversation(deps, terms, prepared);
    if (isNewCountry(deps, terms, prepared)) await claimCountries(deps, terms, [prepared]);
    const known = await readKnown(deps.db, { terms, messages: [prepared] });
    return { sender, terms, prepared, placement: place(terms, prepared, known), key };
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
      return orThrow(answerAgain<AcceptedSingle>(key, known));
    }
    return orThrow(await (single.terms.schedule ? later(single) : now.add(single)));
  };
};
