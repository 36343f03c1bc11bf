import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SERVER } from '../../contract/office/audit.ts';
import { openTestAccounts } from '../../test/accounts.ts';
import { openLog } from '../ground/log/index.ts';
import type { Installation } from './installation.ts';
import { withholding } from './withholding.ts';

let accounts: Awaited<ReturnType<typeof openTestAccounts>>;
beforeAll(async () => {
  accounts = await openTestAccounts();
});
afterAll(() => accounts?.close());

test('a turn that is withheld is in the audit log, whether an admin or the service’s own key was the cause', async () => {
  const { db } = accounts;
  const { accountId } = await accounts.activeAccount({ admin: true });
  const until = new Date('2030-01-01T00:00:00Z');
  const withhold = withholding({
    database: { db } as Installation['database'],
    log: openLog({ level: 'silent' }),
  });
  await withhold({ accountId, queryId: 'by-admin', until });
  await withhold({ accountId: undefined, queryId: 'by-key', until });
  const { rows } = await sql`
    select a.admin_id, a.call, a.subject, e.event, e.after from audit_entries a
    join audit_entries e on e.asked_id = a.id order by a.id`.execute(db);
  const ended = { event: 'refused', after: { withheldUntil: until.toISOString() } };
  expect(rows).toEqual([
    { admin_id: accountId, call: 'POST /qf/sql_query', subject: 'by-admin', ...ended },
    { admin_id: SERVER, call: 'POST /sql_query', subject: 'by-key', ...ended },
  ]);
});
