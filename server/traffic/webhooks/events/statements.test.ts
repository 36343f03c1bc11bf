import { join } from 'node:path';
import { test } from 'vitest';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { MessageId } from '../../../../contract/traffic/messages.ts';
import { openStatements } from '../../../../test/statements.ts';
import { givenEvents, storingEvents } from './publish-store.ts';

const event = {
  event: 'delivered' as const,
  id: '01890000-0000-7000-8000-000000000001' as MessageId,
  accountId: '00000000-0000-4000-8000-00000000000a' as AccountId,
  createdAt: '2026-11-19 12:00:00.123456+00',
};

test('the statement that publishes is the one of the file, which PostgreSQL can plan', async () => {
  const { expectFile } = await openStatements();
  await expectFile(join(import.meta.dirname, '../testing/statements/publish.sql'), (db) =>
    storingEvents(givenEvents([event])).execute(db),
  );
});
