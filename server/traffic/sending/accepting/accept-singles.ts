import type { Reply } from '../../../../contract/calls.ts';
import { numberFromMicros } from '../../../../contract/ground/money.ts';
import type { BatchId, MessageId } from '../../../../contract/traffic/messages.ts';
import { DomainError } from '../../../ground/domain-error.ts';
import { newId } from '../../../ground/postgres/index.ts';
import type { SendingAccount } from '../../../ground/route/index.ts';
import type { BatchFacts } from '../../outbox/index.ts';
import type { Placement, Prepared } from '../prepare.ts';
import { splitByBalance, totalPrice } from '../prices-of.ts';
import type { SendingDeps } from '../sending-deps.ts';
import { separateOptedOut } from '../separate-opted-out.ts';
import type { Terms } from '../terms.ts';
import { acceptGroups, type GroupVerdict } from './accept-groups.ts';
import type { AcceptedGroup } from './accept-store.ts';
import { type AnsweredKey, findKeys, type IdempotencyKey } from './key-store.ts';

export type AcceptedSingle = Reply<'POST /:channel/send'>;

/** What becomes of a single message; a promise if it is accepted later than those that it came with. */
export type SingleOutcome = AcceptedSingle | Error | Promise<AcceptedSingle | Error>;

/** A single message that could be accepted. */
export interface Single {
  sender: SendingAccount;
  terms: Terms;
  prepared: Prepared;
  placement: Placement;
  key: IdempotencyKey | undefined;
}

/** A message of a flush, until it has its verdict. */
interface Member {
  single: Single;
  id: MessageId;
  priceMicros: bigint;
  verdict: SingleOutcome | undefined;
}

interface MemberGroup extends AcceptedGroup {
  members: Member[];
}

const keyName = ({ accountId, key }: Pick<IdempotencyKey, 'accountId' | 'key'>): string =>
  `${accountId} ${key}`;

const isSame = (a: Pick<IdempotencyKey, 'requestHash'>, b: Pick<IdempotencyKey, 'requestHash'>): boolean =>
  a.requestHash.equals(b.requestHash);

/** The answer to a repeat: the first answer, if the request is the same. */
export const answerAgain = <A>(key: IdempotencyKey, known: AnsweredKey): A | DomainError =>
  isSame(key, known) ? (known.answer as A) : new DomainError('E_IDEMPOTENCY_KEY_REUSED');

const answerOf = ({ id, priceMicros, single: { prepared, terms } }: Member, batchId: BatchId) => ({
  _id: id,
  batchId,
  status: 'PENDING' as const,
  phone: prepared.recipient,
  segments: prepared.segments,
  price: numberFromMicros(priceMicros),
  currency: 'USD' as const,
  test: terms.test,
  ...(terms.schedule && { sendAt: terms.schedule.at.toISOString() }),
  ...(prepared.identifier !== null && { identifier: prepared.identifier }),
});

const batchName = ({ sender, terms: { channel, test, free, schedule } }: Single): string =>
  [channel, test, free, schedule?.at.toISOString(), schedule?.until.toISOString(), sender.byPage].join();

const groupOf = ([first, ...others]: [Member, ...Member[]]): MemberGroup => {
  const { sender, terms } = first.single;
  const batch: BatchFacts = {
    id: newId() as BatchId,
    accountId: sender.accountId,
    channel: terms.channel,
    kind: 'API',
    test: terms.test,
    schedule: terms.schedule,
    byPage: sender.byPage,
  };
  const members = [first, ...others];
  return {
    batch,
    members,
    accepted: members.length,
    totalMicros: totalPrice(members),
    messages: members.map(({ id, single: { prepared, placement } }) => ({
      ...prepared,
      ...placement,
      id,
      batchId: batch.id,
    })),
    keys: members.flatMap((member) =>
      member.single.key ? [{ ...member.single.key, answer: answerOf(member, batch.id) }] : [],
    ),
  };
};

/**
 * One batch an account, of messages with the same terms; those with others have their turn in the next round. Messages
 * of one batch are paid by one entry.
 */
const groupMembers = (members: Member[]): MemberGroup[] => {
  const groups = new Map<string, { name: string; members: [Member, ...Member[]] }>();
  for (const member of members) {
    const { accountId } = member.single.sender;
    const name = batchName(member.single);
    const group = groups.get(accountId);
    if (!group) groups.set(accountId, { name, members: [member] });
    else if (group.name === name) group.members.push(member);
  }
  return [...groups.values()].map((group) => groupOf(group.members));
};

const addresseeOf = ({ single: { sender, terms, prepared } }: Member) => ({
  accountId: sender.accountId,
  channel: terms.channel,
  recipient: prepared.recipient,
});

/** Refuses messages to recipients who have opted out; returns the others. Only accounts with opt-outs are queried. */
const refuseOptedOut = async (deps: SendingDeps, members: Member[]): Promise<Member[]> => {
  const asked = members.filter(({ single }) => deps.havingOptOuts.has(single.sender.accountId));
  if (asked.length === 0) return members;
  const { optedOut } = await separateOptedOut(deps, asked, addresseeOf);
  for (const member of optedOut) member.verdict = new DomainError('E_OPTED_OUT');
  return members.filter(({ verdict }) => verdict === undefined);
};

/** Gives members the verdicts that the group's verdict means; the others stay for the next round. */
const settle = ({ batch, members }: MemberGroup, verdict: GroupVerdict): void => {
  if (verdict.outcome === 'accepted')
    for (const member of members)
      member.verdict = { ...answerOf(member, batch.id), balance: numberFromMicros(verdict.balanceMicros) };
  if (verdict.outcome === 'failed') for (const member of members) member.verdict = verdict.error;
  if (verdict.outcome === 'refused')
    for (const member of splitByBalance(members, verdict.leftMicros).refused)
      member.verdict = verdict.refusal;
  if (verdict.outcome === 'used') {
    const known = new Map(verdict.keys.map((key) => [key.key, key]));
    for (const member of members) {
      const { key } = member.single;
      const before = key && known.get(key.key);
      if (key && before) member.verdict = answerAgain<AcceptedSingle>(key, before);
    }
  }
};

/** The first message with each key; and for the others, which one they repeat. */
const separateRepeats = (members: Member[]) => {
  const firsts = new Map<string, Member>();
  const repeats: { member: Member; of: Member }[] = [];
  const leading = members.filter((member) => {
    const { key } = member.single;
    const of = key && firsts.get(keyName(key));
    if (of) repeats.push({ member, of });
    else if (key) firsts.set(keyName(key), member);
    return !of;
  });
  return { leading, repeats };
};

/** Takes a message that would keep others waiting. */
export type Defer = (single: Single) => Promise<AcceptedSingle | Error>;

const acceptRound = async (deps: SendingDeps, open: Member[], defer: Defer | undefined): Promise<void> => {
  const groups = groupMembers(await refuseOptedOut(deps, open));
  if (groups.length === 0) return;
  const verdicts = await acceptGroups(deps, groups, { fastPathOnly: defer !== undefined });
  for (const group of groups) {
    const verdict = verdicts.get(group);
    if (verdict) settle(group, verdict);
    else if (defer) for (const member of group.members) member.verdict = defer(member.single);
  }
};

/**
 * A call that is refused now may have been accepted before, or by another process at the same moment: then it repeats
 * that one and gets its answer.
 */
const answerUsed = async ({ db }: SendingDeps, members: Member[]): Promise<void> => {
  const refused = members.flatMap((member) =>
    member.single.key && member.verdict instanceof DomainError ? [{ member, key: member.single.key }] : [],
  );
  if (refused.length === 0) return;
  const keys = refused.map(({ key }) => key);
  const known = new Map((await findKeys(db, keys).catch(() => [])).map((key) => [keyName(key), key]));
  for (const { member, key } of refused) {
    const before = known.get(keyName(key));
    if (before) member.verdict = answerAgain<AcceptedSingle>(key, before);
  }
};

/**
 * Accepts single messages of any accounts, most of them in one statement. Each gets its own verdict: an insufficient
 * balance, an opted-out recipient or a used key concerns no other message. With `defer` none waits for an account whose
 * wallet is locked, or that causes more than to store what it sends.
 */
export const acceptSingles = async (
  deps: SendingDeps,
  singles: Single[],
  defer?: Defer,
): Promise<SingleOutcome[]> => {
  const members = singles.map(
    (single): Member => ({
      single,
      id: newId() as MessageId,
      priceMicros: single.prepared.priceMicros,
      verdict: undefined,
    }),
  );
  const { leading, repeats } = separateRepeats(members);
  for (let open = leading; open.length > 0; open = open.filter(({ verdict }) => verdict === undefined))
    try {
      await acceptRound(deps, open, defer);
    } catch (error) {
      // Members of earlier rounds have been accepted already.
      for (const member of open) member.verdict ??= error as Error;
    }
  await answerUsed(deps, leading);
  for (const { member, of } of repeats) {
    const [key, first] = [member.single.key, of.single.key];
    member.verdict =
      key && first && isSame(key, first) ? of.verdict : new DomainError('E_IDEMPOTENCY_KEY_REUSED');
  }
  return members.map(({ verdict }) => {
    if (!verdict) throw new Error('a message has no verdict');
    return verdict;
  });
};
