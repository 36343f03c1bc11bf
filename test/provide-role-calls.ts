import type { TestProject } from 'vitest/node';
import { ADMIN_ROLES } from '../contract/customer/admin-roles.ts';
import { allowedCalls } from '../server/http/index.ts';
import { openTable } from './webhooks/endpoints.ts';

/** Tells the tests of pages, which know nothing of the server, what admins of each role may call. */
export default (project: TestProject): void => {
  const table = openTable();
  project.provide(
    'roleCalls',
    Object.fromEntries(ADMIN_ROLES.map((role) => [role, allowedCalls(table, role)])),
  );
};
