import { expect, test } from 'vitest';
import { ADMIN_ROLES } from '../../contract/customer/admin-roles.ts';
import { anything } from '../../test/anything.ts';
import { withRole } from './admin-line.ts';
import { allowedCalls } from './allowed-calls.ts';
import type { GuardedRoom } from './registering/register-routes.ts';
import { routeTable } from './route-table.ts';

test('readers are told of what they may read, and everybody of nothing on lines for all', () => {
  const routes = { 'GET /admin/lanes': anything, 'PUT /admin/lanes/:laneId': anything };
  const table: GuardedRoom[] = [
    { guard: 'customer', routes: { 'GET /cards': anything } },
    { guard: 'customer', roles: ['support'], routes: { 'GET /devices': anything } },
    { guard: 'admin', roles: ['operator'], readers: ['support'], routes },
    { guard: 'admin', roles: [], files: { 'GET /admin/audit.csv': anything } },
  ];
  expect(Object.fromEntries(ADMIN_ROLES.map((role) => [role, allowedCalls(table, role)]))).toEqual({
    support: ['GET /devices', 'GET /admin/lanes'],
    finance: [],
    operator: ['GET /admin/lanes', 'PUT /admin/lanes/:laneId'],
    analyst: [],
    owner: ['GET /devices', 'GET /admin/lanes', 'PUT /admin/lanes/:laneId', 'GET /admin/audit.csv'],
  });
});

test.each(ADMIN_ROLES)('what %s is told is what the guard admits, of every call for admins', (role) => {
  const table = routeTable(anything);
  const caller = { accountId: '' as never, admin: true, role, sessionHash: Buffer.alloc(0) };
  const admitted = table.flatMap((line) => {
    if (line.guard !== 'admin') return [];
    return Object.keys({ ...line.routes, ...line.files, ...line.uploads }).filter((name) => {
      try {
        return withRole(line, name, caller).admin;
      } catch {
        return false;
      }
    });
  });
  expect(allowedCalls(table, role)).toEqual(expect.arrayContaining(admitted));
  const lines = table.flatMap((line) => (line.guard === 'admin' ? Object.keys({ ...line.routes }) : []));
  expect(
    allowedCalls(table, role).filter((name) => lines.includes(name) && !admitted.includes(name)),
  ).toEqual([]);
});
