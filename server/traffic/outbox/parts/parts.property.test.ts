import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import {
  openTestDelivery,
  PRICE_MICROS,
  scriptedCarrier,
  type TestDelivery,
} from '../../../../test/delivery.ts';
import type { Lane, SentPart } from '../../lanes/index.ts';
import { noSubscribers } from '../fragment-store.ts';
import { reconcile } from '../results/reconcile.ts';
import { resultOf } from '../results/record-results.ts';
import { openRecorder } from '../results/recorder.ts';
import { claimMessages } from '../waiting/claim-store.ts';
import { type Claimed, markUnknown } from '../waiting/claimed-store.ts';
import { recoverClaims } from '../waiting/recover-claims.ts';

let room: TestDelivery;
let lane: Lane;
let accountId: AccountId;
const holder = randomUUID();
const NOW = { settledMs: 0, unknownMs: 600_000 };
beforeAll(async () => {
  room = await openTestDelivery();
  lane = await room.addLane(() => scriptedCarrier().carrier);
  accountId = await room.funded(1_000);
  await room.takeLane(lane.id, holder, 600_000);
});
afterAll(async () => {
  expect(await room.misplaced()).toEqual([]);
  expect(await room.miscounted()).toEqual([]);
  expect(await room.differing()).toEqual([]);
  await room.close();
});

/** What the message centre did with a part, what we heard of that, and what it reports later. */
interface Part {
  answer: 'taken' | 'lost' | 'refused';
  report: 'delivered' | 'failed' | 'none';
}
/** How the answers are learnt: at once, by a journal, too late, or never. */
type Way = 'answered' | 'killed' | 'late' | 'never';
interface Plan {
  parts: Part[];
  way: Way;
  /** Which report comes when: the order of these. Those below zero come before the answers. */
  moments: number[];
  /** How often each report comes. */
  times: number;
  restarts: boolean;
}

const partArbitrary: fc.Arbitrary<Part> = fc.record({
  answer: fc.constantFrom<Part['answer']>('taken', 'taken', 'taken', 'lost', 'refused'),
  report: fc.constantFrom<Part['report']>('delivered', 'delivered', 'delivered', 'failed', 'none'),
});
const planArbitrary: fc.Arbitrary<Plan> = fc
  .array(partArbitrary, { minLength: 2, maxLength: 4 })
  .chain((parts) =>
    fc.record({
      parts: fc.constant(parts),
      way: fc.constantFrom<Way>('answered', 'answered', 'killed', 'late', 'never'),
      moments: fc.array(fc.integer({ min: -5, max: 5 }), {
        minLength: parts.length,
        maxLength: parts.length,
      }),
      times: fc.integer({ min: 1, max: 2 }),
      restarts: fc.boolean(),
    }),
  );

/** The rule of docs/MONEY.md, said once more and in other words than the program's. */
const expectedOf = ({ parts, way }: Plan): string => {
  const isReported = (part: Part) => part.answer !== 'refused' && part.report !== 'none';
  const failed = parts.some((part) => isReported(part) && part.report === 'failed');
  const refused = parts.some(({ answer }) => answer === 'refused');
  if (failed || (refused && way !== 'never')) return 'FAILED';
  const isKnown = (part: Part) => isReported(part) || (part.answer === 'taken' && way !== 'never');
  if (!parts.every(isKnown)) return 'in doubt';
  return parts.every(isReported) ? 'SUCCESS delivered' : 'SUCCESS';
};

const said = (id: string, parts: Part[]): SentPart[] =>
  parts.map(({ answer }, index) => {
    if (answer === 'taken') return { state: 'taken', id: `${id}-${index}` };
    return answer === 'lost' ? { state: 'unknown' } : { state: 'refused', code: 'NO', reason: 'No.' };
  });

const recorder = () =>
  openRecorder({ db: room.db, log: console, timing: { gatherMs: 1 }, publisher: noSubscribers }).of(lane);

/** Runs all plans side by side, each with a number of its own; returns what became of each. */
const run = async (plans: Plan[]): Promise<string[]> => {
  const start = Math.floor(Math.random() * 1e9);
  const numberOf = (at: number): string => `+8529${String(start + at).padStart(10, '0')}`;
  const claimThose = async (...ways: Way[]): Promise<Claimed[]> => {
    for (const [at, { parts, way }] of plans.entries())
      if (ways.includes(way))
        await room.accept({ accountId, lane, segments: parts.length, recipient: () => numberOf(at) });
    const all: Claimed[] = [];
    for (;;) {
      const { claimed } = await claimMessages(room.db, { laneId: lane.id, holder, limit: plans.length });
      if (claimed.length === 0) return all;
      all.push(...claimed);
    }
  };
  // Of those whose worker nobody on this machine knows.
  const elsewhere = await claimThose('late', 'never');
  await sql`update claims set holder = ${randomUUID()} where lane_id = ${lane.id}`.execute(room.db);
  const claimed = [...elsewhere, ...(await claimThose('answered', 'killed'))];
  const { rows } = await sql<{ id: string; recipient: string }>`
    select id, recipient from messages where id = any(${claimed.map(({ id }) => id)}::uuid[])`.execute(
    room.db,
  );
  const ids = new Map(rows.map(({ id, recipient }) => [recipient, id]));
  const messages = plans.map((_, at) => claimed.find(({ id }) => id === ids.get(numberOf(at))) as Claimed);
  let into = recorder();

  const report = async (momentIsBefore: boolean): Promise<void> => {
    const told = plans.flatMap((plan, at) =>
      plan.parts.flatMap((part, index) => {
        const moment = plan.moments[index] ?? 0;
        if (part.answer === 'refused' || part.report === 'none' || moment < 0 !== momentIsBefore) return [];
        return Array.from({ length: plan.times }, () => ({ plan, at, part, index, moment }));
      }),
    );
    for (const moment of [...new Set(told.map((one) => one.moment))].toSorted((a, b) => a - b)) {
      if (plans.some(({ restarts }) => restarts)) into = recorder();
      await Promise.all([
        // Beside them, so that some commit between what it reads and what it writes.
        moment % 2 === 0 && reconcile(room.db, NOW),
        ...told
          .filter((one) => one.moment === moment)
          .map(({ at, part, index }) =>
            into.add({
              kind: 'receipt',
              receipt: {
                providerMessageId: `${messages[at]?.id}-${index}`,
                state: part.report as 'delivered' | 'failed',
                code: part.report === 'failed' ? 'UNDELIV' : '',
                at: new Date(),
                recipient: numberOf(at),
                ofPart: true,
              },
            }),
          ),
      ]);
    }
  };
  const of = (...ways: Way[]): number[] => plans.flatMap(({ way }, at) => (ways.includes(way) ? [at] : []));
  const tellResults = async (which: number[]): Promise<void> => {
    await Promise.all(
      which.map((at) => {
        const [message, plan] = [messages[at] as Claimed, plans[at] as Plan];
        const parts = said(message.id, plan.parts);
        // Whatever the carrier makes of its parts, they decide.
        return into.add({
          kind: 'result',
          result: resultOf(message, { outcome: 'unknown', reason: '', parts }),
        });
      }),
    );
  };

  await report(true);
  await tellResults(of('answered'));
  // Both workers are gone, or taken for it; the journal of one tells what it knew.
  const byId = new Map(messages.map((message, at) => [message.id as string, at]));
  await recoverClaims(room.db, {
    leases: [{ laneId: lane.id, holder }],
    publisher: noSubscribers,
    fateOf: ({ id }) => ({ parts: said(id, plans[byId.get(id) ?? -1]?.parts ?? []) }),
  });
  await markUnknown(room.db, [{ laneId: lane.id, holder }]);
  await reconcile(room.db, NOW);
  await report(false);
  // One of them was only slow.
  await tellResults(of('late'));
  await reconcile(room.db, NOW);
  const after = new Map((await room.read(messages.map(({ id }) => id))).map((row) => [row.id, row]));
  return messages.map(({ id }) => {
    const row = after.get(id);
    if (row?.status === 'PENDING' || row?.status === 'FAILED_WITH_EXCEPTION') return 'in doubt';
    return row?.deliveredAt ? `${row.status} delivered` : String(row?.status);
  });
};

it('whatever the order of answers, receipts and restarts, a long message is what docs/MONEY.md says and is paid for exactly if it has not failed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(planArbitrary, { minLength: 1, maxLength: 40, size: 'max' }), async (plans) => {
      const before = await room.balance(accountId);
      const became = await run(plans);
      expect(became).toEqual(plans.map(expectedOf));
      const paid = became.filter((one) => one !== 'FAILED').length;
      expect(await room.balance(accountId)).toBe(before - PRICE_MICROS * BigInt(paid));
    }),
    { numRuns: 15, endOnFailure: true, markInterruptAsFailure: true, interruptAfterTimeLimit: 45_000 },
  );
}, 60_000);
