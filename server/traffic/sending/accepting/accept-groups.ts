import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { decimalFromMicros } from '../../../../contract/ground/money.ts';
import { type CaptureOutcome, enqueueAfterCapture } from '../../../customer/wallet/index.ts';
import { DomainError } from '../../../ground/domain-error.ts';
import { type Db, indexOnlyTransaction, preparedPool } from '../../../ground/postgres/index.ts';
import type { SendingDeps } from '../sending-deps.ts';
import { type AcceptedGroup, type Stored, storeGroups } from './accept-store.ts';
import { dispatch } from './dispatch.ts';
import { type AnsweredKey, findKeys, isKeyUsed } from './key-store.ts';

/** What became of a group. */
export type GroupVerdict =
  | { outcome: 'accepted'; balanceMicros: bigint }
  /** Some of its calls were answered before; nothing of it was stored. */
  | { outcome: 'used'; keys: AnsweredKey[] }
  /** Its account has opt-outs, by now in `havingOptOuts`: its recipients have to be checked first. */
  | { outcome: 'opt-outs-unchecked' }
  /** Why the group was refused, and what its account could have spent. */
  | { outcome: 'refused'; refusal: DomainError; leftMicros: bigint }
  /** An error of this group or of its transaction; other groups may have been accepted. */
  | { outcome: 'failed'; error: Error };

/** How often to try again when another process uses the same idempotency keys at the same moment. */
const MOST_TRIES = 10;

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

const laneIdsOf = ({ messages }: AcceptedGroup): number[] => messages.flatMap(({ laneId }) => laneId ?? []);

/** Why an account may not spend what it sends costs; undefined if that is our own fault. */
export const captureRefusal = ({ outcome, limit_micros }: CaptureOutcome): DomainError | undefined => {
  switch (outcome) {
    case 'too-low':
      return new DomainError('E_BALANCE_TOO_LOW');
    case 'sandbox':
      return new DomainError('E_SANDBOX_MONEY');
    case 'suspended':
      return new DomainError('E_SUSPENDED');
    case 'unapproved':
      return new DomainError('E_NOT_APPROVED');
    case 'over-limit':
      return new DomainError('E_DAY_LIMIT', { limit: decimalFromMicros(limit_micros ?? 0n) });
  }
  return undefined;
};

const charge = (outcome: CaptureOutcome): GroupVerdict => {
  if (outcome.outcome === 'posted') return { outcome: 'accepted', balanceMicros: outcome.balance_micros };
  const refusal = captureRefusal(outcome);
  if (refusal) return { outcome: 'refused', refusal, leftMicros: outcome.balance_micros };
  return { outcome: 'failed', error: new Error(`a batch was not paid: ${outcome.outcome}`) };
};

/** The general path: stores the groups and enqueues their follow-up tasks, such as a top-up, in one transaction. */
export const storeWithin = async (
  trx: Db,
  deps: SendingDeps,
  { groups, unchecked }: { groups: AcceptedGroup[]; unchecked: AccountId[] },
): Promise<Stored> => {
  const stored = await storeGroups(trx, deps, { groups, unchecked, fastPath: false });
  const accepted = groups.filter(({ batch }) => stored.outcomes.get(batch.accountId)?.outcome === 'posted');
  for (const [accountId, outcome] of stored.outcomes)
    await enqueueAfterCapture({ db: trx, queue: deps.queue }, accountId, outcome);
  await dispatch(trx, deps, {
    laneIds: new Set(accepted.flatMap(laneIdsOf)),
    schedules: accepted.map(({ batch }) => batch.schedule),
  });
  return stored;
};

const uncheckedOf = (
  { havingOptOuts }: Pick<SendingDeps, 'havingOptOuts'>,
  groups: AcceptedGroup[],
): AccountId[] =>
  groups.map(({ batch }) => batch.accountId).filter((accountId) => !havingOptOuts.has(accountId));

/** The fast path: groups that need no follow-up are stored in one statement, which is its own transaction. */
const storeFastPath = async (deps: SendingDeps, groups: AcceptedGroup[]): Promise<Stored> => {
  const stored = await storeGroups(preparedPool(deps.db), deps, {
    groups,
    unchecked: uncheckedOf(deps, groups),
    fastPath: true,
  });
  // Lanes also poll every second, so a lost wake signal costs no more than that.
  const laneIds = groups
    .filter(({ batch }) => stored.outcomes.get(batch.accountId)?.outcome === 'posted')
    .flatMap(laneIdsOf);
  void deps.wake(deps.db, [...new Set(laneIds)], { singles: true }).catch(() => {});
  return stored;
};

const readVerdicts = async (
  { db, havingOptOuts }: SendingDeps,
  groups: AcceptedGroup[],
  { outcomes, used, having }: Stored,
): Promise<Map<AcceptedGroup, GroupVerdict>> => {
  // The accepted messages are committed by now, so an error here concerns only repeated calls.
  const answered = used.length > 0 ? await findKeys(db, used).catch(asError) : [];
  const repeating = new Set(used.map(({ accountId }) => accountId));
  const withUsed = Map.groupBy(answered instanceof Error ? [] : answered, ({ accountId }) => accountId);
  for (const accountId of having) havingOptOuts.add(accountId);
  const verdicts = new Map<AcceptedGroup, GroupVerdict>();
  for (const group of groups) {
    const { accountId } = group.batch;
    const outcome = outcomes.get(accountId);
    const keys = withUsed.get(accountId);
    if (answered instanceof Error && repeating.has(accountId))
      verdicts.set(group, { outcome: 'failed', error: answered });
    else if (keys) verdicts.set(group, { outcome: 'used', keys });
    else if (having.includes(accountId)) verdicts.set(group, { outcome: 'opt-outs-unchecked' });
    // A group without an outcome has a wallet that another transaction has locked.
    else if (outcome && outcome.outcome !== 'needs-follow-up') verdicts.set(group, charge(outcome));
  }
  return verdicts;
};

const retrying = async <T>(store: () => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries += 1)
    try {
      return await store();
    } catch (error) {
      if (!isKeyUsed(error) || tries === MOST_TRIES) throw error;
    }
};

/**
 * Accepts groups of different accounts, each alone: charged if and only if it is stored. What most accounts send is
 * stored in one statement; for those that cause more, such as a top-up, the same statement is part of a transaction.
 * That one waits also for wallets that are locked. With `fastPathOnly` what would need it gets no verdict.
 */
export const acceptGroups = async (
  deps: SendingDeps,
  groups: AcceptedGroup[],
  { fastPathOnly = false } = {},
): Promise<Map<AcceptedGroup, GroupVerdict>> => {
  const unscheduled = groups.filter(({ batch }) => batch.schedule === undefined);
  const verdicts: [AcceptedGroup, GroupVerdict][] = [];
  if (unscheduled.length > 0)
    verdicts.push(
      ...(await readVerdicts(deps, unscheduled, await retrying(() => storeFastPath(deps, unscheduled)))),
    );
  const decided = new Set(verdicts.map(([group]) => group));
  const others = fastPathOnly ? [] : groups.filter((group) => !decided.has(group));
  if (others.length > 0) {
    const store = () =>
      indexOnlyTransaction(deps.db, (trx) =>
        storeWithin(trx, deps, { groups: others, unchecked: uncheckedOf(deps, others) }),
      );
    const stored = await retrying(store).catch(asError);
    if (stored instanceof Error)
      for (const group of others) verdicts.push([group, { outcome: 'failed', error: stored }]);
    else verdicts.push(...(await readVerdicts(deps, others, stored)));
  }
  return new Map(verdicts);
};
