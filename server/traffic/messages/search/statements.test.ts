import { join } from 'node:path';
import { test } from 'vitest';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { openStatements } from '../../../../test/statements.ts';
import { readMessages } from './search-store.ts';

const accountId = '00000000-0000-4000-8000-00000000000a' as AccountId;
const days = { from: new Date('2026-11-01T00:00:00Z'), to: new Date('2026-12-01T00:00:00Z') };
const options = { done: new Date('2026-11-19T12:00:00Z'), count: true };
const newestFirst = { sort: 'createdAt' as const, descending: true, skip: 0, limit: 20 };

test('the statements that search are those of the files, which PostgreSQL can plan', async () => {
  const { expectFile: expectPath } = await openStatements();
  const expectFile = (name: string, run: Parameters<typeof expectPath>[1]) =>
    expectPath(join(import.meta.dirname, `../testing/statements/${name}.sql`), run);
  await expectFile('search', (db) =>
    readMessages(
      db,
      { ...days, accountId, status: 'FAILED', channel: 'sms', party: { text: '+8525', whole: false } },
      newestFirst,
      options,
    ),
  );
  await expectFile('search-text', (db) =>
    readMessages(db, { ...days, accountId, text: 'hello' }, newestFirst, options),
  );
});
