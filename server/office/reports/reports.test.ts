import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { StatusRow } from '../../../contract/office/reports.ts';
import { MESSAGE_STATUSES } from '../../../contract/traffic/message-values.ts';
import {
  openTestDelivery,
  PRICE_MICROS,
  scriptedCarrier,
  type TestDelivery,
} from '../../../test/delivery.ts';
import { openTestPhones } from '../../../test/phones.ts';
import type { Db } from '../../ground/postgres/index.ts';
import type { Lane } from '../../traffic/lanes/index.ts';
import { openRecorder, resultOf } from '../../traffic/outbox/index.ts';
import {
  claimMessages,
  foldCounts,
  foldDurations,
  foldLaneCounts,
  publishNothing,
} from '../../traffic/outbox/testing/index.ts';
import { type DaySpan, reportDays } from './report-days.ts';
import { adminReportRoutes } from './routes.ts';
import { type ReportGroup, readGroups, readStatusCounts, type StatusCount } from './store.ts';
import { viewGroups, viewHours, viewStatusRows } from './view-reports.ts';

let room: TestDelivery;
let accountId: AccountId;
let lanes: number[];
const DATE = '2026-10-20';
/** Further than that day. */
const HOURS_BACK = 100_000;
beforeAll(async () => {
  room = await openTestDelivery();
  accountId = await room.funded(100);
  await openTestPhones(room.db).add('hk-1', { smsActive: true });
  const { rows } = await sql<{ id: number }>`
    insert into lanes (name, channel, provider, carrier, simulated, source)
    values ('a', 'sms', 'smpp', 'HKT', false, 'admin'), ('b', 'whatsapp', 'cloud', '', false, 'admin'),
      ('c', 'sms', 'smpp', '', false, 'admin') returning id`.execute(room.db);
  const phone = await sql<{ id: number }>`select id from lanes where phone_name = 'hk-1'`.execute(room.db);
  lanes = [...rows, ...phone.rows].map(({ id }) => id);
  await sql`select messages_make_partition(${DATE}::date)`.execute(room.db);
});
afterAll(async () => {
  expect(await room.miscounted()).toEqual([]);
  await room.close();
});

interface Drawn {
  /** Hours since the midnight of Hong Kong a week before the day. */
  hours: number;
  country: string;
  carrier: string | null;
  lane: number;
  type: string;
  price: number;
  cost: number;
  /** What it becomes, one after the other. */
  fates: string[];
  ms: number;
  /** Whether it goes to another lane in between. */
  moved: boolean;
}

/** A message goes by a lane of its channel. */
const CHANNELS = ['sms', 'whatsapp', 'sms', 'sms'];
const channelOf = ({ lane }: Drawn): string => CHANNELS[lane] ?? 'email';
/** What never got a lane was never sent. */
const fateOf = ({ lane, fates }: Drawn, step: number): string | undefined =>
  lane < 0 && fates[step] ? 'CANCELLED' : fates[step];

const drawn: fc.Arbitrary<Drawn> = fc.record({
  // Whole hours are the edges of days and counters.
  hours: fc.oneof(
    fc.integer({ min: -2, max: 8 * 24 + 2 }),
    fc.double({ min: -2, max: 8 * 24 + 2, noNaN: true }),
  ),
  country: fc.constantFrom('HK', 'SG', ''),
  carrier: fc.constantFrom('csl', 'three', null),
  lane: fc.integer({ min: -1, max: 3 }),
  type: fc.constantFrom('outgoing', 'outgoing', 'outgoing', 'incoming'),
  price: fc.integer({ min: 0, max: 50_000 }),
  cost: fc.integer({ min: 0, max: 50_000 }),
  // An answer, and a late receipt, the end of a doubt, or a message that is sent again after all.
  fates: fc.array(fc.constantFrom('SUCCESS', 'FAILED', 'FAILED_WITH_EXCEPTION', 'CANCELLED', 'PENDING'), {
    maxLength: 3,
  }),
  ms: fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: 100_000_000 })),
  moved: fc.boolean(),
});

const { spans: WEEK } = reportDays(DATE, new Date('2026-11-16T00:00:00Z'));
const weekBefore = +WEEK[2].from;

const store = async (messages: Drawn[]): Promise<void> => {
  const rows = messages.map((one) => ({
    id: randomUUID(),
    at: new Date(weekBefore + one.hours * 3_600_000),
    one,
  }));
  const laneOf = (lane: number) => lanes[lane] ?? null;
  await sql`insert into messages (id, account_id, lane_id, channel, type, status, recipient_raw, recipient, country,
      carrier, message, segment, price_micros, cost_micros, created_at, updated_at)
    select id, ${accountId}, lane, channel, type, 'PENDING', '', '', country, carrier, '', 1, price, cost, at, at
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ one }) => laneOf(one.lane))}::int[],
      ${rows.map(({ one }) => channelOf(one))}::text[], ${rows.map(({ one }) => one.type)}::text[],
      ${rows.map(({ one }) => one.country)}::text[], ${rows.map(({ one }) => one.carrier)}::text[],
      ${rows.map(({ one }) => one.price)}::bigint[], ${rows.map(({ one }) => one.cost)}::bigint[],
      ${rows.map(({ at }) => at)}::timestamptz[]) as given (id, lane, channel, type, country, carrier, price, cost, at)`.execute(
    room.db,
  );
  for (let step = 0; step < 3; step += 1) {
    const told = rows.flatMap(({ id, at, one }) => {
      const status = fateOf(one, step);
      return status ? [{ id, at, status, one }] : [];
    });
    await sql`update messages m set status = g.status,
        sent_at = case when g.status = 'SUCCESS' then m.created_at + g.ms * interval '1 ms' end,
        lane_id = case when g.moved then ${lanes[0] ?? 0} else m.lane_id end
      from unnest(${told.map(({ id }) => id)}::uuid[], ${told.map(({ at }) => at)}::timestamptz[],
        ${told.map(({ status }) => status)}::text[], ${told.map(({ one }) => one.ms)}::float8[],
        ${told.map(({ one }) => one.moved && channelOf(one) === 'sms')}::boolean[]) as g (id, at, status, ms, moved)
      where m.id = g.id and m.created_at = g.at`.execute(room.db);
  }
};

interface Plain extends Omit<ReportGroup, 'median' | 'p95'> {
  medianMs: number | null;
  p95Ms: number | null;
}

/** The same by one query over the messages themselves. */
const readPlain = async (spans: DaySpan[]): Promise<Plain[]> => {
  const { rows } = await sql<Plain>`
    select s.span::int, d.dimension, d.name, count(*)::int as messages,
      count(*) filter (where status = 'SUCCESS')::int as success,
      count(*) filter (where status = 'FAILED')::int as failed,
      count(*) filter (where status = 'FAILED_WITH_EXCEPTION')::int as "inDoubt",
      percentile_disc(0.5) within group (order by ms) filter (where status = 'SUCCESS') as "medianMs",
      percentile_disc(0.95) within group (order by ms) filter (where status = 'SUCCESS') as "p95Ms",
      coalesce(sum(price_micros) filter (where status in ('SUCCESS', 'FAILED_WITH_EXCEPTION')), 0)::bigint
        as "revenueMicros",
      coalesce(sum(m.cost_micros) filter (where status in ('SUCCESS', 'FAILED_WITH_EXCEPTION')), 0)::bigint
        as "costMicros"
    from unnest(${spans.map(({ from }) => from)}::timestamptz[], ${spans.map(({ to }) => to)}::timestamptz[])
      with ordinality as s (since, until, span)
    join messages m on m.created_at >= s.since and m.created_at < s.until and m.type = 'outgoing'
    left join lanes l on l.id = m.lane_id
    cross join lateral (select extract(epoch from m.sent_at - m.created_at)::float8 * 1000 as ms) took
    cross join lateral (values ('total', ''), ('channel', m.channel), ('country', m.country),
      ('carrier', coalesce(m.carrier, '')), ('provider', coalesce(l.provider, '')),
      ('phone', nullif(l.phone_name, ''))) as d (dimension, name)
    where d.name is not null group by 1, 2, 3`.execute(room.db);
  return rows;
};

const bucketOf = (ms: number | null): number | null =>
  ms === null ? null : Math.floor(4 * Math.log2(Math.max(1, ms)));
const near = (bucket: number | null, ms: number | null): boolean => {
  const expected = bucketOf(ms);
  return bucket === null || expected === null ? bucket === expected : Math.abs(bucket - expected) <= 1;
};
const keyOf = ({ span, dimension, name }: Pick<ReportGroup, 'span' | 'dimension' | 'name'>) =>
  `${span} ${dimension} ${name}`;
const byKey = <T extends Pick<ReportGroup, 'span' | 'dimension' | 'name'>>(all: T[]) =>
  all.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));

const expectSame = async (spans: DaySpan[]): Promise<void> => {
  const groups = byKey(await readGroups(room.db, spans));
  const plain = byKey(await readPlain(spans));
  const sums = (group: ReportGroup | Plain) => ({ ...group, median: 0, p95: 0, medianMs: 0, p95Ms: 0 });
  expect(groups.map(sums)).toEqual(plain.map(sums));
  const far = plain.flatMap((one, at) => {
    const { median = null, p95 = null } = groups[at] ?? {};
    return near(median, one.medianMs) && near(p95, one.p95Ms) ? [] : [{ ...one, median, p95 }];
  });
  expect(far).toEqual([]);
};

type StatusSum = Omit<StatusCount, 'hour'>;
const inOrder = (counts: StatusSum[]) =>
  counts.toSorted((a, b) => (JSON.stringify(Object.values(a)) < JSON.stringify(Object.values(b)) ? -1 : 1));

/** By status over all hours. */
const byStatus = (counts: StatusCount[]): StatusSum[] => {
  const sums = new Map<string, StatusSum>();
  for (const { span, channel, type, status, messages } of counts) {
    const key = [span, channel, type, status].join();
    const before = sums.get(key)?.messages ?? 0;
    sums.set(key, { span, channel, type, status, messages: before + messages });
  }
  return inOrder([...sums.values()]);
};

const readPlainStatus = async (spans: DaySpan[]): Promise<StatusSum[]> => {
  const { rows } = await sql<StatusSum>`
    select s.span::int, m.channel, m.type, m.status, count(*)::int as messages
    from unnest(${spans.map(({ from }) => from)}::timestamptz[], ${spans.map(({ to }) => to)}::timestamptz[])
      with ordinality as s (since, until, span)
    join messages m on m.created_at >= s.since and m.created_at < s.until group by 1, 2, 3, 4`.execute(
    room.db,
  );
  return inOrder(rows);
};

/** The table as it is shown, from a plain query. */
const rowsOf = (sums: StatusSum[]): StatusRow[] => {
  const kinds = [...new Set(sums.map(({ type, channel }) => `${type} ${channel}`))].toSorted().toReversed();
  return kinds.map((kind) => {
    const [type, channel] = kind.split(' ') as [StatusRow['type'], StatusRow['channel']];
    const of = (span: number, status?: string) =>
      sums
        .filter((one) => one.span === span && one.type === type && one.channel === channel)
        .filter((one) => status === undefined || one.status === status)
        .reduce((sum, { messages }) => sum + messages, 0);
    const statuses = Object.fromEntries(MESSAGE_STATUSES.map((status) => [status, of(1, status)]));
    const days = { total: of(1), dayBefore: of(2), weekBefore: of(3) };
    return { type, channel, ...statuses, ...days } as StatusRow;
  });
};

test('reports equal a plain query on random data, percentiles within a bucket', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(drawn, { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 0, max: 30 }),
      fc.boolean(),
      async (messages, hours, fold) => {
        await store(messages);
        if (fold) {
          await foldCounts(room.db, HOURS_BACK);
          await foldLaneCounts(room.db, HOURS_BACK);
          await foldDurations(room.db, HOURS_BACK);
        }
        // The day as a whole, and as it was while it lasted.
        const now = new Date(+WEEK[0].from + hours * 1_800_000);
        for (const { spans } of [reportDays(DATE, now), reportDays(DATE, new Date('2026-11-16T00:00:00Z'))]) {
          await expectSame(spans);
          const counts = await readStatusCounts(room.db, spans);
          expect(await readPlainStatus(spans)).toEqual(byStatus(counts));
          expect(viewStatusRows(counts)).toEqual(rowsOf(await readPlainStatus(spans)));
          const hourly = viewHours(counts, spans[0]).flatMap(({ hour: _, ...of }) => Object.values(of));
          expect(hourly.reduce((sum, count) => sum + count, 0)).toBe(
            viewGroups(await readGroups(room.db, spans)).total.now.messages,
          );
        }
      },
    ),
    { numRuns: 15 },
  );
});

class Undone extends Error {}

test('days are read by the sums of eight hours and what these lack, however many folds there were at once', async () => {
  const [first, later] = [1, 2].map((seed) => fc.sample(drawn, { seed, numRuns: 200 }));
  const fold = () =>
    Promise.all([1, 2].flatMap(() => [foldLaneCounts, foldDurations].map((one) => one(room.db, HOURS_BACK))));
  await store(first ?? []);
  await Promise.all([fold(), store(later ?? [])]);
  expect(await room.miscounted()).toEqual([]);
  const read = async (db: Db) => byKey(await readGroups(db, WEEK));
  const groups = await read(room.db);
  expect(groups.length).toBeGreaterThan(30);
  await room.db
    .transaction()
    .execute(async (trx) => {
      await sql`delete from lane_counts where summed`.execute(trx);
      await sql`delete from duration_counts where summed`.execute(trx);
      expect(await read(trx)).toEqual(groups);
      throw new Undone();
    })
    .catch((error) => {
      if (!(error instanceof Undone)) throw error;
    });
  await fold();
  expect(await read(room.db)).toEqual(groups);
});

test('late receipts and refunds: the revenue is what the ledger kept', async () => {
  const lane: Lane = await room.addLane(() => scriptedCarrier().carrier);
  const holder = randomUUID();
  await room.takeLane(lane.id, holder, 600_000);
  await room.accept({ accountId, lane, count: 10 });
  const { claimed } = await claimMessages(room.db, { laneId: lane.id, holder, limit: 10 });
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const recorder = openRecorder({
    db: room.db,
    log,
    timing: { gatherMs: 5 },
    publisher: { publish: publishNothing, publishingRows: () => sql`select`, hasSubscriber: () => false },
  }).of(lane);
  const idOf = (at: number) => `p-${claimed[at]?.id}`;
  await Promise.all(
    claimed.map((message, at) =>
      recorder.add({
        kind: 'result',
        result: resultOf(
          message,
          at < 2
            ? { outcome: 'refused', code: 'NO', reason: 'No.', retryable: false }
            : { outcome: 'accepted', providerMessageId: idOf(at) },
        ),
      }),
    ),
  );
  await Promise.all(
    [2, 3, 4].map((at) =>
      recorder.add({
        kind: 'receipt',
        receipt: { providerMessageId: idOf(at), state: 'failed', at: new Date(), code: 'GONE' },
      }),
    ),
  );
  const { rows } = await sql<{ kept: bigint }>`
    select -sum(available_micros)::bigint as kept from ledger_entries
    where account_id = ${accountId} and kind in ('CAPTURE', 'REFUND')`.execute(room.db);
  const { spans } = reportDays(undefined);
  const report = viewGroups(await readGroups(room.db, spans)).by.provider.find(
    ({ name }) => name === 'scripted',
  );
  expect(report?.now).toMatchObject({ messages: 10, success: 5, failed: 5, successRate: 0.5 });
  expect(rows[0]?.kept).toBe(5n * PRICE_MICROS);
  expect(report?.now.revenue).toBe(Number(5n * PRICE_MICROS) / 1e6);
});

test('a day is that of Hong Kong, and today is compared with as much of the days before', () => {
  const { date, until, spans } = reportDays(undefined, new Date('2026-11-15T17:20:00Z'));
  expect([date, until]).toEqual(['2026-11-16', '02:00']);
  expect(spans.map(({ from, to }) => [from.toISOString(), to.toISOString()])).toEqual([
    ['2026-11-15T16:00:00.000Z', '2026-11-16T16:00:00.000Z'],
    ['2026-11-14T16:00:00.000Z', '2026-11-14T18:00:00.000Z'],
    ['2026-11-08T16:00:00.000Z', '2026-11-08T18:00:00.000Z'],
  ]);
  expect(reportDays('2026-11-01', new Date('2026-11-15T17:20:00Z')).until).toBe('24:00');
});

test('phones are told with what is wrong with them, unless that is skipped', async () => {
  const ask = (query: object) =>
    adminReportRoutes(room)['GET /report/device']?.({ query } as never) as Promise<{ notices?: object[] }>;
  expect(await ask({})).toMatchObject({
    devices: [{ phoneName: 'hk-1', state: 'DOWN', sentToday: 0 }],
    notices: [{ phoneName: 'hk-1', kind: 'DOWN' }],
  });
  expect(await ask({ skipNotice: 'true' })).not.toHaveProperty('notices');
});

test('the arena has the ways out by WhatsApp', async () => {
  expect(await adminReportRoutes(room)['GET /whatsapp-agent/arena']?.({} as never)).toEqual({
    queues: [{ name: 'b', phoneName: '', mode: 'on', up: null, waiting: expect.any(Number) }],
  });
});
