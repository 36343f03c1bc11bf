import { join } from 'node:path';
import { test } from 'vitest';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { BatchId, MessageId } from '../../../../contract/traffic/messages.ts';
import { openStatements } from '../../../../test/statements.ts';
import { accountsHaving, findOptedOut } from '../../../customer/opt-outs/index.ts';
import { storeGroups } from './accept-store.ts';

const accountId = '00000000-0000-4000-8000-00000000000a' as AccountId;
const batchId = '01890000-0000-7000-8000-000000000002' as BatchId;
const message = {
  id: '01890000-0000-7000-8000-000000000001' as MessageId,
  recipientRaw: '5123 4567',
  recipient: '+85251234567',
  country: 'HK',
  carrier: 'csl',
  sender: null,
  identifier: null,
  message: 'Hello',
  subject: null,
  html: null,
  content: null,
  segments: 1,
  priceMicros: 32_051n,
  laneId: 3,
  laneWhy: 'CHEAPEST',
  costMicros: 20_000n,
  batchId,
};
const group = {
  batch: {
    id: batchId,
    accountId,
    channel: 'sms' as const,
    kind: 'API' as const,
    test: false,
    schedule: undefined,
  },
  accepted: 1,
  totalMicros: 32_051n,
  messages: [message],
  keys: [{ accountId, key: 'order-1', requestHash: Buffer.from('0a', 'hex'), answer: { status: 'PENDING' } }],
};

test('the statement that accepts is the one of the file, which PostgreSQL can plan', async () => {
  const { expectFile } = await openStatements();
  await expectFile(join(import.meta.dirname, '../testing/statements/accept.sql'), (db, publisher) =>
    storeGroups(
      db,
      {
        ...publisher,
        optOuts: { find: findOptedOut, having: accountsHaving },
        rules: { approval: true, dayLimitMicros: 100_000_000n, newCountries: 3 },
      },
      { groups: [group], unchecked: [accountId], fastPath: true },
    ),
  );
});
