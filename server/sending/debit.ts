import type { AccountId } from '../../contract/accounts.ts';
import type { EntryId } from '../../contract/wallet.ts';
import type { BatchFacts } from '../outbox/index.ts';
import { readWallets, type SpendDeps, spendEach } from '../wallet/index.ts';

interface Priced {
  priceMicros: bigint;
}

/** Messages that are paid together. */
export interface Group<M> {
  batch: BatchFacts;
  members: M[];
}

export interface Paid<M> extends Group<M> {
  /** Messages that the balance did not cover. */
  refused: M[];
  totalMicros: bigint;
  captureId: EntryId | null;
  balanceMicros: bigint;
}

const sum = (members: Priced[]): bigint =>
  members.reduce((total, { priceMicros }) => total + priceMicros, 0n);

/** In order, each that the remaining balance still covers. */
const split = <M extends Priced>(members: M[], balanceMicros: bigint): { covered: M[]; refused: M[] } => {
  let left = balanceMicros;
  const covered: M[] = [];
  const refused: M[] = [];
  for (const member of members) {
    if (member.priceMicros > left) refused.push(member);
    else {
      left -= member.priceMicros;
      covered.push(member);
    }
  }
  return { covered, refused };
};

/** The first open group of each account: an account that sends by two channels takes two rounds. */
const firstOfEach = <M>(groups: Paid<M>[]): Paid<M>[] => [
  ...new Map(groups.toReversed().map((group) => [group.batch.accountId, group])).values(),
];

/** What a group costs, for the wallet. */
export const spendOf = <M>({ batch, members, totalMicros }: Paid<M>) => ({
  accountId: batch.accountId,
  amountMicros: totalMicros,
  cause: `batch:${batch.id}`,
  details: { channel: batch.channel, messages: members.length },
});

export const unpaid = <M extends Priced>(group: Group<M>): Paid<M> => ({
  ...group,
  refused: [],
  totalMicros: sum(group.members),
  captureId: null,
  balanceMicros: 0n,
});

const spendFor = async <M extends Priced>(deps: SpendDeps, groups: Paid<M>[]): Promise<void> => {
  const outcomes = await spendEach(deps, groups.map(spendOf));
  for (const [at, group] of groups.entries()) {
    const outcome = outcomes[at];
    if (!outcome) throw new Error('a spend has no outcome');
    if ('tooLow' in outcome) {
      const { covered, refused } = split(group.members, outcome.balanceMicros);
      group.members = covered;
      group.refused.push(...refused);
      group.totalMicros = sum(covered);
    } else {
      group.captureId = outcome.entryId;
      group.balanceMicros = outcome.balanceMicros;
    }
  }
};

/**
 * Pays for each group with one entry, all in one statement if the balances suffice. If one does not, its wallet is
 * locked by now: the group keeps exactly the messages that the balance covers, and is tried again.
 */
export const debit = async <M extends Priced>(deps: SpendDeps, groups: Group<M>[]): Promise<Paid<M>[]> => {
  const paid = groups.map(unpaid);
  const isOpen = ({ captureId, totalMicros }: Paid<M>) => captureId === null && totalMicros > 0n;
  for (let open = paid.filter(isOpen); open.length > 0; open = open.filter(isOpen))
    await spendFor(deps, firstOfEach(open));
  await readBalances(
    deps,
    paid.filter(({ captureId }) => captureId === null),
  );
  return paid;
};

/** For groups that cost nothing. */
const readBalances = async <M>({ db }: SpendDeps, groups: Paid<M>[]): Promise<void> => {
  if (groups.length === 0) return;
  const wallets = await readWallets(db, [...new Set(groups.map(({ batch }) => batch.accountId))]);
  const balances = new Map<AccountId, bigint>(wallets.map((one) => [one.accountId, one.balanceMicros]));
  for (const group of groups) group.balanceMicros = balances.get(group.batch.accountId) ?? 0n;
};
