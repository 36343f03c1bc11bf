import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { decimalFromMicros } from '../../../../contract/ground/money.ts';
import { type CaptureOutcome, followCapture } from '../../../customer/wallet/index.ts';
import { DomainError } from '../../../ground/domain-error.ts';
import { byIndexes, type Db, steadyOf } from '../../../ground/postgres/index.ts';
import type { SendingDeps } from '../sending-deps.ts';
import { type Group, type Stored, storeGroups } from './accept-store.ts';
import { dispatch } from './dispatch.ts';
import { type AnsweredKey, findKeys, isKeyUsed } from './key-store.ts';

/** What became of a group. */
export type GroupVerdict =
  | { outcome: 'accepted'; balanceMicros: bigint }
  /** Some of its calls were answered before; nothing of it was stored. */
  | { outcome: 'used'; keys: AnsweredKey[] }
  /** Its account has opt-outs, by now in `havingOptOuts`: its recipients have to be checked first. */
  | { outcome: 'unasked' }
  /** Why, and what it could have spent. */
  | { outcome: 'refused'; refusal: DomainError; leftMicros: bigint }
  /** Its own fault, or that of the transaction that it was in: others may have been accepted. */
  | { outcome: 'failed'; error: Error };

/** Another process may use the same keys at the same moment, each time. */
const MOST_TRIES = 10;

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

const laneIdsOf = ({ messages }: Group): number[] => messages.flatMap(({ laneId }) => laneId ?? []);

/** Why an account may not spend what it sends costs; undefined if that is our own fault. */
export const refusalOf = ({ outcome, limit_micros }: CaptureOutcome): DomainError | undefined => {
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
  const refusal = refusalOf(outcome);
  if (refusal) return { outcome: 'refused', refusal, leftMicros: outcome.balance_micros };
  return { outcome: 'failed', error: new Error(`a batch was not paid: ${outcome.outcome}`) };
};

/** Within a transaction: what is accepted, and all that it causes. */
export const storeWithin = async (
  trx: Db,
  deps: SendingDeps,
  { groups, unasked }: { groups: Group[]; unasked: AccountId[] },
): Promise<Stored> => {
  const stored = await storeGroups(trx, deps, { groups, unasked, quiet: false });
  const accepted = groups.filter(({ batch }) => stored.outcomes.get(batch.accountId)?.outcome === 'posted');
  for (const [accountId, outcome] of stored.outcomes)
    await followCapture({ db: trx, queue: deps.queue }, accountId, outcome);
  await dispatch(trx, deps, {
    laneIds: new Set(accepted.flatMap(laneIdsOf)),
    schedules: accepted.map(({ batch }) => batch.schedule),
  });
  return stored;
};

const unaskedOf = ({ havingOptOuts }: Pick<SendingDeps, 'havingOptOuts'>, groups: Group[]): AccountId[] =>
  groups.map(({ batch }) => batch.accountId).filter((accountId) => !havingOptOuts.has(accountId));

/** Groups that cause nothing but themselves: one statement, which is a transaction of its own. */
const storeQuiet = async (deps: SendingDeps, groups: Group[]): Promise<Stored> => {
  const stored = await storeGroups(steadyOf(deps.db), deps, {
    groups,
    unasked: unaskedOf(deps, groups),
    quiet: true,
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
  groups: Group[],
  { outcomes, used, having }: Stored,
): Promise<Map<Group, GroupVerdict>> => {
  // What was accepted is committed by now: only those who repeat a call learn of a fault.
  const answered = used.length > 0 ? await findKeys(db, used).catch(asError) : [];
  const repeating = new Set(used.map(({ accountId }) => accountId));
  const withUsed = Map.groupBy(answered instanceof Error ? [] : answered, ({ accountId }) => accountId);
  for (const accountId of having) havingOptOuts.add(accountId);
  const verdicts = new Map<Group, GroupVerdict>();
  for (const group of groups) {
    const { accountId } = group.batch;
    const outcome = outcomes.get(accountId);
    const keys = withUsed.get(accountId);
    if (answered instanceof Error && repeating.has(accountId))
      verdicts.set(group, { outcome: 'failed', error: answered });
    else if (keys) verdicts.set(group, { outcome: 'used', keys });
    else if (having.includes(accountId)) verdicts.set(group, { outcome: 'unasked' });
    // Otherwise its wallet is locked by somebody else.
    else if (outcome && outcome.outcome !== 'causes-more') verdicts.set(group, charge(outcome));
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
 * That one waits also for wallets that are locked. With `quietOnly` what would need it gets no verdict.
 */
export const acceptGroups = async (
  deps: SendingDeps,
  groups: Group[],
  { quietOnly = false } = {},
): Promise<Map<Group, GroupVerdict>> => {
  const quiet = groups.filter(({ batch }) => batch.schedule === undefined);
  const verdicts: [Group, GroupVerdict][] = [];
  if (quiet.length > 0)
    verdicts.push(...(await readVerdicts(deps, quiet, await retrying(() => storeQuiet(deps, quiet)))));
  const decided = new Set(verdicts.map(([group]) => group));
  const others = quietOnly ? [] : groups.filter((group) => !decided.has(group));
  if (others.length > 0) {
    const store = () =>
      byIndexes(deps.db, (trx) =>
        storeWithin(trx, deps, { groups: others, unasked: unaskedOf(deps, others) }),
      );
    const stored = await retrying(store).catch(asError);
    if (stored instanceof Error)
      for (const group of others) verdicts.push([group, { outcome: 'failed', error: stored }]);
    else verdicts.push(...(await readVerdicts(deps, others, stored)));
  }
  return new Map(verdicts);
};
