import type { AccountId } from '../../contract/accounts.ts';
import type { Reply } from '../../contract/calls.ts';
import type { BatchId, MessageId } from '../../contract/messages.ts';
import { numberFromMicros } from '../../contract/money.ts';
import { DomainError } from '../domain-error.ts';
import { insertWithBatches, type NewMessage } from '../outbox/index.ts';
import { type Db, newId } from '../postgres/index.ts';
import type { Sender } from '../route/index.ts';
import type { FastPath } from './accept-fast-path.ts';
import { debit, type Group, type Paid } from './debit.ts';
import { dispatch } from './dispatch.ts';
import { type AnsweredKey, answerKeys, dropKeys, type Key, takeKeys } from './key-store.ts';
import type { Placement, Prepared, Terms } from './prepare.ts';
import type { SendingDeps } from './sending-deps.ts';

export type Accepted = Reply<'POST /:channel/send'>;

/** A single message that could be accepted. */
export interface Single {
  sender: Sender;
  terms: Terms;
  prepared: Prepared;
  placement: Placement;
  key: Key | undefined;
}

/** A message of a flush, until it has its verdict. */
interface Member {
  single: Single;
  id: MessageId;
  priceMicros: bigint;
  verdict: Accepted | DomainError | undefined;
}

const keyName = ({ accountId, key }: Pick<Key, 'accountId' | 'key'>): string => `${accountId} ${key}`;

const isSame = (a: Pick<Key, 'requestHash'>, b: Pick<Key, 'requestHash'>): boolean =>
  a.requestHash.equals(b.requestHash);

/** The answer to a repeat: the first answer, if the request is the same. */
export const answerAgain = (key: Key, known: AnsweredKey): Accepted | DomainError =>
  isSame(key, known) ? (known.answer as Accepted) : new DomainError('E_IDEMPOTENCY_KEY_REUSED');

/** Messages of one account and channel are one batch, paid by one entry. */
const groupMembers = (members: Member[]): Group<Member>[] => {
  const groups = new Map<string, Group<Member>>();
  for (const member of members) {
    const { sender, terms } = member.single;
    const { schedule } = terms;
    const when = schedule && `${schedule.at.toISOString()}/${schedule.until.toISOString()}`;
    const name = [sender.accountId, terms.channel, terms.test, terms.free, when, sender.byPage].join();
    const group = groups.get(name) ?? {
      batch: {
        id: newId() as BatchId,
        accountId: sender.accountId,
        channel: terms.channel,
        kind: 'API',
        test: terms.test,
        schedule,
        byPage: sender.byPage,
      },
      members: [],
    };
    group.members.push(member);
    groups.set(name, group);
  }
  return [...groups.values()];
};

const settle = ({ batch, members, refused, balanceMicros }: Paid<Member>): void => {
  for (const member of members) {
    const { prepared, terms } = member.single;
    member.verdict = {
      _id: member.id,
      batchId: batch.id,
      status: 'PENDING',
      phone: prepared.recipient,
      segments: prepared.segments,
      price: numberFromMicros(member.priceMicros),
      currency: 'USD',
      balance: numberFromMicros(balanceMicros),
      test: terms.test,
      ...(terms.schedule && { sendAt: terms.schedule.at.toISOString() }),
    };
  }
  for (const member of refused) member.verdict = new DomainError('E_BALANCE_TOO_LOW');
};

/** Accounts have opt-outs that were not known here: the flush is repeated, with a query for them first. */
class UnaskedOptOuts extends Error {
  readonly accountIds: AccountId[];

  constructor(accountIds: AccountId[]) {
    super('accounts have opt-outs');
    this.accountIds = accountIds;
  }
}

/** An opted-out recipient is reported before an insufficient balance. */
const askForRefused = async (
  trx: Db,
  { optOuts, havingOptOuts }: SendingDeps,
  paid: Paid<Member>[],
): Promise<void> => {
  const short = paid.filter(({ refused }) => refused.length > 0).map(({ batch }) => batch.accountId);
  const unasked = new Set(short).difference(havingOptOuts);
  if (unasked.size === 0) return;
  const { rows } = await optOuts.having([...unasked]).execute(trx);
  if (rows.length > 0) throw new UnaskedOptOuts(rows.map(({ id }) => id));
};

const rowsOf = (groups: Group<Member>[]): NewMessage[] =>
  groups.flatMap(({ batch, members }) =>
    members.map(({ id, single: { prepared, placement } }) => ({
      ...prepared,
      ...placement,
      id,
      batchId: batch.id,
    })),
  );

const write = async (trx: Db, deps: SendingDeps, paid: Paid<Member>[]): Promise<void> => {
  const batches = paid
    .filter(({ members }) => members.length > 0)
    .map((group) => ({ ...group.batch, ...group, accepted: group.members.length }));
  if (batches.length === 0) return;
  const unasked = new Set(batches.map(({ accountId }) => accountId)).difference(deps.havingOptOuts);
  const having = unasked.size > 0 ? deps.optOuts.having([...unasked]) : undefined;
  const found = await insertWithBatches(trx, { batches, messages: rowsOf(paid), alongside: having });
  if (found.length > 0) throw new UnaskedOptOuts(found.map(({ id }) => id));
  await deps.publish(
    trx,
    batches.flatMap(({ accountId, members }) =>
      members.map(({ id }) => ({ event: 'accepted' as const, id, accountId })),
    ),
  );
  const singles = batches.flatMap(({ members }) => members.map(({ single }) => single));
  await dispatch(trx, deps, {
    laneIds: new Set(singles.flatMap(({ placement }) => placement.laneId ?? [])),
    schedules: singles.map(({ terms }) => terms.schedule),
  });
};

const keepAnswers = async (trx: Db, members: Member[]): Promise<void> => {
  const keyed = members.flatMap(({ single: { key }, verdict }) => (key ? [{ ...key, verdict }] : []));
  const answered = keyed
    .filter(({ verdict }) => !(verdict instanceof DomainError))
    .map(({ verdict, ...key }) => ({ ...key, answer: verdict }));
  const refused = keyed.filter(({ verdict }) => verdict instanceof DomainError);
  if (answered.length > 0) await answerKeys(trx, answered);
  if (refused.length > 0) await dropKeys(trx, refused);
};

/** Messages whose key was not used before; the others get their verdict. */
const takeNew = async (trx: Db, members: Member[]): Promise<Member[]> => {
  const keys = members.flatMap(({ single: { key } }) => (key ? [key] : []));
  if (keys.length === 0) return members;
  const known = new Map((await takeKeys(trx, keys)).map((key) => [keyName(key), key]));
  for (const member of members) {
    const { key } = member.single;
    const before = key && known.get(keyName(key));
    if (key && before) member.verdict = answerAgain(key, before);
  }
  return members.filter(({ verdict }) => verdict === undefined);
};

/** Refuses messages to recipients who have opted out; returns the others. Only accounts with opt-outs are queried. */
const refuseOptedOut = async (
  trx: Db,
  { optOuts, havingOptOuts }: SendingDeps,
  members: Member[],
): Promise<Member[]> => {
  const asked = members.filter(({ single }) => havingOptOuts.has(single.sender.accountId));
  if (asked.length === 0) return members;
  const places = await optOuts.find(
    trx,
    asked.map(({ single: { sender, terms, prepared } }) => ({
      accountId: sender.accountId,
      channel: terms.channel,
      recipient: prepared.recipient,
    })),
  );
  for (const place of places) {
    const member = asked[place];
    if (member) member.verdict = new DomainError('E_OPTED_OUT');
  }
  return members.filter(({ verdict }) => verdict === undefined);
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

/**
 * Accepts single messages of any accounts in one transaction. Each gets its own verdict: an insufficient balance or an
 * opted-out recipient refuses only the messages concerned.
 */
export const acceptSingles = async (
  deps: SendingDeps & { acceptFast: FastPath },
  singles: Single[],
): Promise<(Accepted | DomainError)[]> => {
  const members = singles.map(
    (single): Member => ({
      single,
      id: newId() as MessageId,
      priceMicros: single.prepared.priceMicros,
      verdict: undefined,
    }),
  );
  const { leading, repeats } = separateRepeats(members);
  const tryFastPath = async (): Promise<boolean> => {
    if (leading.some(({ single }) => single.key)) return false;
    const groups = groupMembers(await refuseOptedOut(deps.db, deps, leading));
    const paid = await deps.acceptFast({ groups, messages: rowsOf(groups) });
    for (const group of paid ?? []) settle(group);
    return paid !== undefined;
  };
  const acceptLeading = () =>
    deps.db.transaction().execute(async (trx) => {
      for (const member of leading) member.verdict = undefined;
      const fresh = await takeNew(trx, leading);
      const willing = await refuseOptedOut(trx, deps, fresh);
      const paid = await debit({ db: trx, queue: deps.queue }, groupMembers(willing));
      await askForRefused(trx, deps, paid);
      for (const group of paid) settle(group);
      await write(trx, deps, paid);
      await keepAnswers(trx, fresh);
    });
  for (let done = await tryFastPath(); !done; )
    try {
      await acceptLeading();
      done = true;
    } catch (error) {
      if (!(error instanceof UnaskedOptOuts)) throw error;
      for (const accountId of error.accountIds) deps.havingOptOuts.add(accountId);
    }
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
