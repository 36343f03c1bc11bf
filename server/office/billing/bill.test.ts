import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { EntryId } from '../../../contract/customer/wallet.ts';
import type { Channel } from '../../../contract/ground/channels.ts';
import type { BatchId } from '../../../contract/traffic/messages.ts';
import { openTestMessages } from '../../../test/messages.ts';
import { refund } from '../../customer/wallet/index.ts';
import { cancelRoutes } from '../../traffic/outbox/index.ts';
import { accept, prepare, readTerms, type SendingDeps } from '../../traffic/sending/index.ts';
import { daysOfMonth, monthSpan } from './month.ts';
import { readBill, readStatement } from './read-bill.ts';
import { readDays } from './read-days.ts';

const room = await openTestMessages();
const { db } = room;
let deps: SendingDeps;
beforeAll(async () => {
  for (const channel of ['sms', 'whatsapp', 'email'] as const) {
    await room.addLane({ name: channel, channel });
    await room.addLane({ name: `${channel}-simulated`, channel, simulated: true });
  }
  deps = await room.open();
});
afterAll(async () => {
  expect(await room.differing()).toEqual([]);
  await room.close();
});

interface Span {
  from: Date;
  to: Date;
}

/** What the ledger itself took and refunded for messages. */
const ledgerTotal = async (accountId: AccountId, { from, to }: Span): Promise<bigint> => {
  const { rows } = await sql<{ total: bigint }>`
    select coalesce(-sum(available_micros), 0)::bigint as total from ledger_entries
    where account_id = ${accountId} and kind in ('CAPTURE', 'REFUND', 'RECAPTURE')
      and created_at >= ${from} and created_at < ${to}`.execute(db);
  return rows[0]?.total ?? 0n;
};

const pause = () => new Promise((resolve) => setTimeout(resolve, 3));
/** A month may begin at any moment, in the account's time zone. */
const edgeNow = async (edges: Date[]): Promise<void> => {
  await pause();
  edges.push(new Date());
  await pause();
};

const sample = {
  sms: { recipientRaw: '61234567' },
  whatsapp: { recipientRaw: '61234567' },
  email: { recipientRaw: 'a@example.com', subject: 'Hi' },
};

const send = async (
  accountId: AccountId,
  {
    channel,
    messages,
    free,
    edgeWithin,
  }: { channel: Channel; messages: number; free: boolean; edgeWithin: Date[] | undefined },
) => {
  const terms = await readTerms(deps, { accountId, channel, test: free });
  const prepared = Array.from({ length: messages }, () =>
    prepare(terms, { ...sample[channel], message: '一'.repeat(messages * 40) }),
  );
  const chunks = async function* () {
    yield prepared.slice(0, 1);
    if (edgeWithin) await edgeNow(edgeWithin);
    yield prepared.slice(1);
  };
  return accept(deps, { accountId, channel, kind: 'CSV', terms, chunks: chunks() });
};

const failOne = async (accountId: AccountId, batchId: BatchId, channel: Channel): Promise<void> => {
  const { rows } = await sql<{ id: string; price: bigint; capture: EntryId }>`
    update messages m set status = 'FAILED' from batches b
    where b.id = ${batchId} and m.batch_id = b.id and m.status = 'PENDING' and b.capture_id is not null
      and m.id = (select id from messages where batch_id = ${batchId} and status = 'PENDING' limit 1)
    returning m.id, m.price_micros as price, b.capture_id::text as capture`.execute(db);
  for (const { id, price, capture } of rows)
    await refund(db, [
      {
        accountId,
        captureId: capture,
        items: [{ item: `message:${id}`, amountMicros: price }],
        details: { channel, messages: 1 },
      },
    ]);
};

const step = fc.record({
  kind: fc.constantFrom('SEND', 'SEND', 'SEND_ACROSS', 'SEND_FREE', 'FAIL', 'CANCEL', 'EDGE'),
  channel: fc.constantFrom('sms', 'whatsapp', 'email'),
  messages: fc.integer({ min: 1, max: 4 }),
  pick: fc.nat(),
});

test('whatever is sent, fails and is cancelled, wherever a month ends, the bill is what the ledger says', {
  timeout: 120_000,
}, async () => {
  const cancel = cancelRoutes({ db, queue: room.deps.queue })['POST /batches/:batchId/cancel'];
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 14 }), async (steps) => {
      const accountId = await room.funded(500);
      const edges = [new Date(Date.now() - 60_000)];
      const sent: { batchId: BatchId; channel: Channel }[] = [];
      for (const { kind, channel, messages, pick } of steps) {
        const one = sent[pick % Math.max(sent.length, 1)];
        if (kind === 'EDGE') await edgeNow(edges);
        else if (kind === 'FAIL') {
          if (one) await failOne(accountId, one.batchId, one.channel);
        } else if (kind === 'CANCEL') {
          const sender = { accountId, test: false };
          if (one) await cancel?.({ sender, params: { batchId: one.batchId } } as never);
        } else {
          const edgeWithin = kind === 'SEND_ACROSS' ? edges : undefined;
          const answer = await send(accountId, { channel, messages, free: kind === 'SEND_FREE', edgeWithin });
          if (answer) sent.push({ batchId: answer.batchId, channel });
        }
      }
      edges.push(new Date(Date.now() + 1_000));
      for (const [at, to] of edges.slice(1).entries()) {
        const span = { from: edges[at] as Date, to };
        const bill = await readBill(db, accountId, span);
        expect(bill.totalMicros).toBe(await ledgerTotal(accountId, span));
        for (const { usage, refunded, totalMicros } of bill.channels) {
          const listed = usage.reduce((sum, { unitMicros, units }) => sum + unitMicros * BigInt(units), 0n);
          expect(listed - (refunded?.amountMicros ?? 0n)).toBe(totalMicros);
          expect(usage.every(({ units }) => units > 0)).toBe(true);
        }
      }
    }),
    { numRuns: 12 },
  );
});

const ZONES = [
  'Asia/Hong_Kong',
  'UTC',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'America/New_York',
  'Pacific/Kiritimati',
];
const year = new Date().getUTCFullYear() - 1;
const MONTHS = [`${year}-09`, `${year}-10`, `${year}-11`];
const START = Date.UTC(year, 8, 1);
const SPAN_MS = Date.UTC(year, 11, 1) - START;

/** Movements as they were made at these times; each with its messages, of one price. */
interface Past {
  at: Date;
  kind: 'CAPTURE' | 'REFUND' | 'TOP_UP';
  channel: Channel;
  country: string;
  messages: number;
  segments: number;
  unitMicros: bigint;
}

const OPENING = 10n ** 12n;
const amountOf = ({ kind, messages, segments, unitMicros }: Past): bigint => {
  const amount = BigInt(messages * segments) * unitMicros;
  return kind === 'CAPTURE' ? -amount : amount;
};

/** Writes past months. The wallet itself stays as it is: its balance is of today. */
const makePast = async (accountId: AccountId, past: Past[]): Promise<void> => {
  for (const month of [`${year}-08`, ...MONTHS])
    await sql`select messages_make_partition(${`${month}-15`}::date)`.execute(db);
  let balance = OPENING;
  for (const one of past) {
    const amount = amountOf(one);
    balance += amount;
    const details = { channel: one.channel, messages: one.messages };
    await sql`insert into ledger_entries (account_id, kind, cause, request_hash, available_micros,
        balance_micros, details, created_at)
      values (${accountId}, ${one.kind}, ${randomUUID()}, '', ${amount}, ${balance}, ${JSON.stringify(details)},
        ${one.at})`.execute(db);
    if (one.kind === 'CAPTURE')
      await sql`insert into messages (id, account_id, channel, type, status, recipient_raw, recipient, country,
          message, segment, price_micros, created_at, updated_at)
        select gen_random_uuid(), ${accountId}, ${one.channel}, 'outgoing', 'SUCCESS', '', '', ${one.country}, '',
          ${one.segments}, ${BigInt(one.segments) * one.unitMicros}, ${one.at}, ${one.at}
        from generate_series(1, ${one.messages})`.execute(db);
  }
};

const moment = fc.oneof(
  fc.nat({ max: SPAN_MS - 1 }).map((at) => new Date(START + at)),
  // The last and first minutes of months, in some time zone.
  fc
    .record({
      month: fc.constantFrom(...MONTHS),
      zone: fc.constantFrom(...ZONES),
      minutes: fc.integer({ min: -70, max: 70 }),
    })
    .map(({ month, zone, minutes }) => new Date(monthSpan(month, zone).from.getTime() + minutes * 60_000)),
);

test('months and days add up to the ledger in every time zone, those of half an hour too', {
  timeout: 120_000,
}, async () => {
  const accountId = await room.funded(1);
  const past = fc
    .sample(
      fc.record({
        at: moment,
        kind: fc.constantFrom('CAPTURE', 'CAPTURE', 'CAPTURE', 'REFUND', 'TOP_UP'),
        channel: fc.constantFrom('sms', 'whatsapp', 'email'),
        country: fc.constantFrom('HK', 'SG', ''),
        messages: fc.integer({ min: 1, max: 5 }),
        segments: fc.integer({ min: 1, max: 3 }),
        unitMicros: fc.constantFrom(32_051n, 40_000n, 1n),
      }),
      400,
    )
    .toSorted((a, b) => a.at.getTime() - b.at.getTime());
  await makePast(accountId, past as Past[]);
  let balanced = 0;
  for (const timeZone of ZONES)
    for (const month of MONTHS) {
      const span = monthSpan(month, timeZone);
      const statement = await readStatement(db, accountId, span);
      expect(statement.totalMicros, `${month} in ${timeZone}`).toBe(await ledgerTotal(accountId, span));
      const moved = statement.movements.reduce((sum, { amountMicros }) => sum + amountMicros, 0n);
      // Before the first movement of that past there is nothing, not the balance that it begins with.
      if (past.some(({ at }) => at < span.from)) {
        expect(statement.closingMicros).toBe(statement.openingMicros + moved - statement.totalMicros);
        balanced += 1;
      }
      const days = daysOfMonth(month, timeZone);
      const usage = await readDays(db, accountId, days);
      const spent = (of: (typeof usage)[number]) =>
        of.sms.spentMicros + of.email.spentMicros + of.whatsapp.spentMicros;
      expect(usage.reduce((sum, of) => sum + spent(of), 0n)).toBe(statement.totalMicros);
      for (const [at, day] of days.entries())
        expect(spent(usage[at] as (typeof usage)[number]), `${day.date} in ${timeZone}`).toBe(
          await ledgerTotal(accountId, day),
        );
    }
  // In every zone the months after the first, whose beginning may lie before or after that movement.
  expect(balanced).toBeGreaterThanOrEqual(ZONES.length * (MONTHS.length - 1));
});
