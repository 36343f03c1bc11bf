import type { AccountId } from '../../../contract/customer/accounts.ts';
import { listPaidBatches } from '../../customer/wallet/ledger/index.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { readUsage, readUsageMadeBefore, type TimeSpan, type Usage } from '../../traffic/messages/index.ts';

/** No batch takes longer from its first row to its payment. */
const LATEST_PAYMENT_MS = 15 * 60_000;

/**
 * Messages have the time when their batch began, and the ledger the time when it was paid: a month may end in between.
 */
const paidAcross = async (db: Db, accountId: AccountId, edge: Date): Promise<Usage[]> => {
  if (edge.getTime() > Date.now()) return [];
  const until = new Date(edge.getTime() + LATEST_PAYMENT_MS);
  const batchIds = await listPaidBatches(db, accountId, { from: edge, to: until });
  return batchIds.length > 0 ? readUsageMadeBefore(db, { accountId, batchIds, before: edge }) : [];
};

const negative = (usage: Usage): Usage => ({
  ...usage,
  messages: -usage.messages,
  units: -usage.units,
  priceMicros: -usage.priceMicros,
});

const keyOf = ({ span, channel, country, device, unitMicros }: Usage): string =>
  [span, channel, country, device, unitMicros].join();

const fold = (usages: Usage[]): Usage[] => {
  const folded = new Map<string, Usage>();
  for (const usage of usages) {
    const known = folded.get(keyOf(usage));
    if (!known) folded.set(keyOf(usage), { ...usage });
    else {
      known.messages += usage.messages;
      known.units += usage.units;
      known.priceMicros += usage.priceMicros;
    }
  }
  return [...folded.values()].filter(({ messages }) => messages !== 0);
};

/** What was paid in contiguous spans: a batch belongs to the span of its ledger entry. */
export const readPaidUsage = async (db: Db, accountId: AccountId, spans: TimeSpan[]): Promise<Usage[]> => {
  const [first, last] = [spans[0], spans.at(-1)];
  if (!first || !last) return [];
  const usage = await readUsage(db, accountId, spans);
  const before = await paidAcross(db, accountId, first.from);
  const after = await paidAcross(db, accountId, last.to);
  if (before.length + after.length === 0) return usage;
  return fold([
    ...usage,
    ...before.map((late) => ({ ...late, span: 0 })),
    ...after.map((late) => ({ ...negative(late), span: spans.length - 1 })),
  ]);
};
