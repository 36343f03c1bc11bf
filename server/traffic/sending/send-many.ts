import type { Body, Reply } from '../../../contract/calls.ts';
import type { Channel } from '../../../contract/ground/channels.ts';
import type { Language } from '../../../contract/ground/constants.ts';
import { numberFromMicros } from '../../../contract/ground/money.ts';
import type { BatchId, MessageId } from '../../../contract/traffic/messages.ts';
import { readWallet } from '../../customer/wallet/index.ts';
import { DomainError } from '../../ground/domain-error.ts';
import { newId } from '../../ground/postgres/index.ts';
import type { SendingAccount } from '../../ground/route/index.ts';
import { text } from '../../ground/translations/index.ts';
import { acceptGroups } from './accepting/accept-groups.ts';
import { answerAgain } from './accepting/accept-singles.ts';
import type { AcceptedGroup } from './accepting/accept-store.ts';
import { findKeys, type IdempotencyKey } from './accepting/key-store.ts';
import { allowSenders } from './allow-senders.ts';
import { claimCountries, isNewCountry } from './claim-countries.ts';
import { limitTestTexts, storedLength } from './limit-test-texts.ts';
import { placeInConversation } from './place-in-conversation.ts';
import { type Known, type Prepared, place, prepare, readIdentifier, readKnown } from './prepare.ts';
import { splitByBalance, totalPrice } from './prices-of.ts';
import { requestHash } from './request-hash.ts';
import { readSchedule } from './schedule.ts';
import type { SendingDeps } from './sending-deps.ts';
import { separateOptedOut } from './separate-opted-out.ts';
import { readTerms, type Terms } from './terms.ts';

type SentMany = Reply<'POST /:channel/sendMany'>;

export interface SendManyRequest {
  sender: SendingAccount;
  channel: Channel;
  body: Body<'POST /:channel/sendMany'>;
  idempotencyKey: string | undefined;
  language: Language;
}

/** A message of the call, until it is accepted or refused. */
interface Member {
  id: MessageId;
  identifier: string | undefined;
  prepared: Prepared | undefined;
  priceMicros: bigint;
  refusal: DomainError | undefined;
}

type Valid = Member & { prepared: Prepared };

const isValid = (member: Member): member is Valid => !member.refusal && member.prepared !== undefined;

const keyOf = ({ sender, channel, body, idempotencyKey }: SendManyRequest): IdempotencyKey | undefined => {
  if (idempotencyKey === undefined) return undefined;
  const { secret, ...asked } = body;
  return {
    accountId: sender.accountId,
    key: idempotencyKey,
    requestHash: requestHash(['sendMany', channel, sender.test, asked]),
  };
};

const prepareMember = async (
  deps: SendingDeps,
  terms: Terms,
  { phone, ...wanted }: SendManyRequest['body']['messages'][number],
): Promise<Member> => {
  const identifier = readIdentifier(wanted.identifier) ?? undefined;
  const member = { id: newId() as MessageId, identifier };
  try {
    let prepared = prepare(terms, { ...wanted, recipientRaw: phone });
    if (terms.channel === 'whatsapp') prepared = await placeInConversation(deps, terms, prepared);
    if (isNewCountry(deps, terms, prepared)) await claimCountries(deps, terms, [prepared]);
    return { ...member, prepared, priceMicros: prepared.priceMicros, refusal: undefined };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { ...member, prepared: undefined, priceMicros: 0n, refusal: error };
  }
};

/** Refuses those whose recipients have opted out; only accounts with opt-outs are queried. */
const refuseOptedOut = async (
  deps: SendingDeps,
  { accountId, channel }: Terms,
  members: Valid[],
): Promise<void> => {
  if (!deps.havingOptOuts.has(accountId)) return;
  const addresseeOf = ({ prepared: { recipient } }: Valid) => ({ accountId, channel, recipient });
  const { optedOut } = await separateOptedOut(deps, members, addresseeOf);
  for (const member of optedOut) member.refusal = new DomainError('E_OPTED_OUT');
};

interface Answer {
  members: Member[];
  terms: Terms;
  language: Language;
  batchId: BatchId | null;
}

const answerOf = ({ members, terms, language, batchId }: Answer): Omit<SentMany, 'balance'> => {
  const accepted = batchId === null ? [] : members.filter(isValid);
  return {
    batchId,
    accepted: accepted.length,
    refused: members.length - accepted.length,
    price: numberFromMicros(totalPrice(accepted)),
    currency: 'USD',
    test: terms.test,
    ...(terms.schedule && { sendAt: terms.schedule.at.toISOString() }),
    messages: members.map((member) => {
      const identifier = member.identifier === undefined ? {} : { identifier: member.identifier };
      if (batchId !== null && isValid(member)) {
        const { recipient, segments } = member.prepared;
        const price = numberFromMicros(member.priceMicros);
        return { accepted: true as const, _id: member.id, phone: recipient, segments, price, ...identifier };
      }
      const { code, params } = member.refusal ?? new DomainError('E_OTHERS_REFUSED');
      return {
        accepted: false as const,
        code,
        reason: text(language, `error.${code}`, params),
        ...identifier,
      };
    }),
  };
};

const groupOf = (
  { sender, key }: { sender: SendingAccount; key: IdempotencyKey | undefined },
  { members, terms, language, known }: Omit<Answer, 'batchId'> & { known: Known | undefined },
): AcceptedGroup => {
  const id = newId() as BatchId;
  const valid = members.filter(isValid);
  return {
    batch: {
      id,
      accountId: sender.accountId,
      channel: terms.channel,
      kind: 'API',
      test: terms.test,
      schedule: terms.schedule,
      byPage: sender.byPage,
    },
    accepted: valid.length,
    totalMicros: totalPrice(valid),
    messages: valid.map((member) => ({
      ...member.prepared,
      ...place(terms, member.prepared, known),
      id: member.id,
      batchId: id,
    })),
    keys: key ? [{ ...key, answer: answerOf({ members, terms, language, batchId: id }) }] : [],
  };
};

/**
 * Accepts the messages of one call, each with its own verdict, and pays for them by one entry. A call of which nothing
 * was accepted leaves no key, so it may be repeated.
 */
export const sendMany = async (deps: SendingDeps, request: SendManyRequest): Promise<SentMany> => {
  const { sender, channel, body, language } = request;
  const { accountId } = sender;
  const key = keyOf(request);
  // A call that can't be accepted now may have been accepted before.
  const [known] = key ? await findKeys(deps.db, [key]) : [];
  const repeated = (before: NonNullable<typeof known>): SentMany => {
    const answer = answerAgain<SentMany>(key as IdempotencyKey, before);
    if (answer instanceof DomainError) throw answer;
    return answer;
  };
  if (known) return repeated(known);
  const general = await readTerms(deps, { accountId, channel, test: sender.test });
  const scheduled = { ...general, schedule: await readSchedule(deps, accountId, body) };
  const froms = body.messages.map(({ fromPhone }) => fromPhone);
  const terms = froms.some(Boolean) ? await allowSenders(deps, scheduled, froms) : scheduled;
  const members: Member[] = [];
  for (const wanted of body.messages) members.push(await prepareMember(deps, terms, wanted));
  const stored = members.filter(isValid).reduce((sum, { prepared }) => sum + storedLength(prepared), 0);
  await limitTestTexts(deps, terms, stored);
  const facts = { members, terms, language };
  for (;;) {
    await refuseOptedOut(deps, terms, members.filter(isValid));
    const valid = members.filter(isValid);
    if (valid.length === 0 || (body.allOrNothing && valid.length < members.length)) break;
    const known = await readKnown(deps.db, { terms, messages: valid.map(({ prepared }) => prepared) });
    const group = groupOf({ sender, key }, { ...facts, known });
    const verdict = (await acceptGroups(deps, [group])).get(group);
    if (verdict?.outcome === 'failed') throw verdict.error;
    if (verdict?.outcome === 'accepted')
      return {
        ...answerOf({ ...facts, batchId: group.batch.id }),
        balance: numberFromMicros(verdict.balanceMicros),
      };
    const [used] = verdict?.outcome === 'used' ? verdict.keys : [];
    if (used) return repeated(used);
    if (verdict?.outcome === 'refused') {
      const { refused } = splitByBalance(valid, verdict.leftMicros);
      for (const member of body.allOrNothing ? valid : refused) member.refusal = verdict.refusal;
    }
  }
  // Another process may have accepted the same call in between.
  const [meanwhile] = key ? await findKeys(deps.db, [key]) : [];
  if (meanwhile) return repeated(meanwhile);
  const { balanceMicros } = await readWallet(deps.db, accountId);
  return { ...answerOf({ ...facts, batchId: null }), balance: numberFromMicros(balanceMicros) };
};
