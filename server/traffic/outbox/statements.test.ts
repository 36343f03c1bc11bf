import { join } from 'node:path';
import { test } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { MessageId } from '../../../contract/traffic/messages.ts';
import { openStatements } from '../../../test/statements.ts';
import { foldLaneCounts } from './counters/counter-store.ts';
import { lockDueMessages, routeDue } from './moving/due-store.ts';
import { lockDue, moveLocked } from './moving/transfer-store.ts';
import { writeReceipts } from './results/receipt-store.ts';
import { type SendResult, writeResults } from './results/result-store.ts';
import type { ChunkId } from './waiting/chunk-store.ts';
import { claimAfterCursors, claimMessages, claimUrgentHead } from './waiting/claim-store.ts';

const accountId = '00000000-0000-4000-8000-00000000000a' as AccountId;
const id = '01890000-0000-7000-8000-000000000001' as MessageId;
const AT = '2026-11-19 12:00:00.123456+00';
const chunkId = '7' as ChunkId;
const claim = { laneId: 3, holder: '00000000-0000-4000-8000-00000000000b', limit: 500 };
const place = { priority: 0, accountId, due: AT, chunkId, size: 100 };

const result: SendResult = {
  message: {
    id,
    accountId,
    laneId: 3,
    createdAt: AT,
    // Of one month, the statement names that month's table instead.
    month: '',
    attempts: 1,
    uncounted: 0,
    claim: { id: 5n, at: AT, open: 1 },
  },
  status: 'SUCCESS',
  providerMessageId: 'smsc-1',
  reason: '',
  code: '',
  at: 1_795_090_000_000,
  notBefore: null,
  uncounted: false,
  unknown: false,
  parts: null,
};
const receipt = {
  laneId: 3,
  providerMessageId: 'smsc-1',
  deliveredAt: new Date('2026-11-19T12:00:05Z'),
  readAt: null,
  failedCode: null,
};
const waiting = {
  id,
  recipient: '+85251234567',
  accountId,
  from: null,
  channel: 'sms' as const,
  country: 'HK',
  test: false,
  tried: [],
  device: null,
  laneId: 3,
  priority: 0,
  due: AT,
  chunkId,
};

test('the largest statements are those of the files, which PostgreSQL can plan', async () => {
  const { expectFile: expectPath } = await openStatements();
  const expectFile = (name: string, run: Parameters<typeof expectPath>[1]) =>
    expectPath(join(import.meta.dirname, `testing/statements/${name}.sql`), run);
  await expectFile('claim-few', (db) => claimUrgentHead(db, { ...claim, since: AT }));
  await expectFile('claim-messages', (db) => claimMessages(db, claim));
  await expectFile('claim-beyond', (db) => claimAfterCursors(db, claim, [place]));
  await expectFile('write-results', (db, publisher) => writeResults(db, [result], publisher));
  const deferred = { ...result, status: 'PENDING' as const, notBefore: new Date('2026-11-19T12:01:00Z') };
  await expectFile('write-results-deferred', (db, publisher) => writeResults(db, [deferred], publisher));
  await expectFile('write-receipts', (db, publisher) => writeReceipts(db, [receipt], publisher));
  await expectFile('take-due', (db) => lockDueMessages(db, { after: { due: AT, chunkId }, chunks: 20 }));
  await expectFile('route-due', (db) =>
    routeDue(db, [{ chunkId, id, laneId: 3, laneWhy: 'CHEAPEST', costMicros: 20_000n }]),
  );
  await expectFile('fold-lane-counts', (db) => foldLaneCounts(db, 48));
  await expectFile('lock-due-of-lane', (db) => lockDue(db, { laneId: 3, limit: 1_000, maxPriority: 0 }));
  await expectFile('move-to-lanes', (db) => moveLocked(db, [{ waiting, to: 4 }], 'LANE_DOWN'));
});
