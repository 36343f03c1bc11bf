import { expect, test } from 'vitest';
import { anything } from '../../test/anything.ts';
import type { GuardedRoom } from './registering/register-routes.ts';
import { type RoomDeps, routeTable } from './route-table.ts';
import { openWeb } from './testing/open-web.ts';

const deps: RoomDeps = Object.assign(Object.create(anything), {
  wallet: { processor: { name: 'stripe' } },
  mailbox: { folder: '' },
  providers: {
    receiver: anything,
    webhooks: [{ path: 'http/:name', methods: ['GET', 'POST'], handle: anything }],
  },
});

/** Every endpoint of the table as `METHOD /path`, with its guard. */
const listed = (rooms: GuardedRoom[]): [endpoint: string, guard: string][] =>
  rooms.flatMap(({ guard, ...line }) => {
    if ('mounted' in line)
      return [line.mounted.path, `${line.mounted.path}/*`].map((path): [string, string] => [
        `GET ${path}`,
        guard,
      ]);
    return ['routes', 'files', 'uploads', 'webhooks', 'sockets', 'pages'].flatMap((kind) =>
      Object.keys((line as Record<string, object | undefined>)[kind] ?? {}).map((name): [string, string] => [
        kind === 'pages' ? name : name.replace(' ', ' /api'),
        guard,
      ]),
    );
  });
const table = listed(routeTable(deps));
const guardedBy = (guard: string) => table.flatMap(([endpoint, by]) => (by === guard ? endpoint : [])).sort();

test("what the program answers is the route table's, but for its pages and its own description", async () => {
  const registered: string[] = [];
  await openWeb(routeTable(deps), { onRoute: (endpoint) => registered.push(endpoint) });
  // HEAD comes with GET; the only file of the pages here is their index.
  const others = registered.filter(
    (endpoint) =>
      !endpoint.startsWith('HEAD ') &&
      !/^GET \/((api\/)?openapi\.json$|api\/docs|index\.html$)/.test(endpoint) &&
      !table.some(([known]) => known === endpoint),
  );
  expect(others).toEqual([]);
  expect(registered).toEqual(expect.arrayContaining(table.map(([endpoint]) => endpoint)));
});

test('an endpoint below /api beside the table does not come in', async () => {
  const app = await openWeb([]);
  expect(() => app.get('/api/loose', () => 'open')).toThrow('GET /api/loose is not in the route table');
  expect(() => app.post('/api', () => 'open')).toThrow('not in the route table');
});

test('every line for admins says which of them', () => {
  const unsaid = routeTable(deps).flatMap((line) =>
    (line.guard === 'admin' || (line.guard === 'customer' && line.allAccounts)) && !line.roles
      ? Object.keys({ ...line.routes, ...line.files, ...line.uploads }).map(
          (name) =>
            `${name}: its line in server/http/route-table.ts names no roles: add roles: ['support'] or whoever may call it ([]: owners alone)`,
        )
      : [],
  );
  expect(unsaid).toEqual([]);
});

test('these are open to others than a signed-in account', () => {
  expect({
    public: guardedBy('public'),
    mailbox: guardedBy('mailbox'),
    sender: guardedBy('sender'),
    signed: guardedBy('signed'),
    admin: guardedBy('admin'),
    ticket: guardedBy('ticket'),
  }).toMatchInlineSnapshot(`
    {
      "admin": [
        "DELETE /api/admin/accounts/:accountId/suspension",
        "DELETE /api/admin/admins/:accountId",
        "DELETE /api/admin/agents/:agentId",
        "DELETE /api/admin/invitations/:invitationId",
        "DELETE /api/admin/lanes/:laneId",
        "DELETE /api/admin/senders/:senderId",
        "DELETE /api/qf/bookmarks",
        "DELETE /api/qf/bookmarks/:bookmarkId",
        "DELETE /api/qf/withheld/:accountId",
        "GET /api/accounts",
        "GET /api/admin/accounts",
        "GET /api/admin/accounts/:accountId/limits",
        "GET /api/admin/admins",
        "GET /api/admin/agents",
        "GET /api/admin/audit",
        "GET /api/admin/audit.csv",
        "GET /api/admin/audit/verification",
        "GET /api/admin/bulkActions",
        "GET /api/admin/bulkActions/:actionId",
        "GET /api/admin/bulkActions/:actionId/results",
        "GET /api/admin/carrierPrefixes",
        "GET /api/admin/inDoubt",
        "GET /api/admin/invitations",
        "GET /api/admin/lanes",
        "GET /api/admin/overview",
        "GET /api/admin/payments",
        "GET /api/admin/payments/:paymentId",
        "GET /api/admin/prices",
        "GET /api/admin/prices.csv",
        "GET /api/admin/retention",
        "GET /api/admin/routes",
        "GET /api/admin/senders",
        "GET /api/admin/unassigned",
        "GET /api/job/:jobId/queue",
        "GET /api/job/:jobId/transferPreview",
        "GET /api/lanes",
        "GET /api/phoneNumberInventory",
        "GET /api/phoneNumberInventory/:phoneId/balances",
        "GET /api/phoneNumberInventory/slot",
        "GET /api/phoneNumberInventory/usage",
        "GET /api/qf/bookmarks",
        "GET /api/qf/history",
        "GET /api/qf/standing",
        "GET /api/qf/withheld",
        "GET /api/qf/zones",
        "GET /api/report/advance",
        "GET /api/report/device",
        "GET /api/report/status",
        "GET /api/whatsapp-agent/arena",
        "POST /api/account/:accountId/adjustment",
        "POST /api/admin/accounts/:accountId/activationMail",
        "POST /api/admin/accounts/:accountId/approval",
        "POST /api/admin/accounts/:accountId/suspension",
        "POST /api/admin/accounts/:accountId/view",
        "POST /api/admin/admins",
        "POST /api/admin/agentKeys",
        "POST /api/admin/agents/:agentId/movedSim",
        "POST /api/admin/bulkActions",
        "POST /api/admin/bulkActions/:actionId/stop",
        "POST /api/admin/devices",
        "POST /api/admin/inDoubt/ask",
        "POST /api/admin/invitations",
        "POST /api/admin/jobs/ticket",
        "POST /api/admin/lanes",
        "POST /api/admin/lanes/:laneId/mode",
        "POST /api/admin/lanes/:laneId/test",
        "POST /api/admin/payments/:paymentId/reconcile",
        "POST /api/admin/payments/:paymentId/refund",
        "POST /api/admin/prices",
        "POST /api/admin/prices/:priceId/end",
        "POST /api/admin/prices/import",
        "POST /api/admin/senders",
        "POST /api/job/:jobId/transfer",
        "POST /api/message/:jobId/failed",
        "POST /api/message/:jobId/success",
        "POST /api/phoneNumberInventory",
        "POST /api/qf/merchants",
        "POST /api/qf/sql_cancel",
        "POST /api/qf/sql_database",
        "POST /api/qf/sql_query",
        "POST /api/qf/sql_tables",
        "PUT /api/admin/accounts/:accountId/limits",
        "PUT /api/admin/admins/:accountId",
        "PUT /api/admin/agents/:agentId",
        "PUT /api/admin/carrierPrefixes",
        "PUT /api/admin/lanes/:laneId",
        "PUT /api/admin/routes",
        "PUT /api/phoneNumberInventory/:phoneId",
        "PUT /api/qf/bookmarks/:bookmarkId",
      ],
      "mailbox": [
        "GET /api/mailbox",
        "GET /api/mailbox/:mailId",
      ],
      "public": [
        "GET /api/startup",
        "GET /api/translations",
        "GET /unsubscribe/*",
        "POST /api/account/forgotPassword",
        "POST /api/account/login",
        "POST /api/account/register",
        "POST /api/account/resetPassword",
        "POST /api/activate",
        "POST /unsubscribe/*",
      ],
      "sender": [
        "DELETE /api/uploads/:uploadId",
        "GET /api/batches/:batchId",
        "GET /api/batches/:batchId/failed.csv",
        "GET /api/messages/:messageId",
        "GET /api/uploads/:uploadId",
        "GET /api/uploads/:uploadId/refused.csv",
        "POST /api/:channel/csvPreflight",
        "POST /api/:channel/csvSend",
        "POST /api/:channel/quote",
        "POST /api/:channel/send",
        "POST /api/:channel/sendMany",
        "POST /api/batches/:batchId/cancel",
        "POST /api/batches/:batchId/resend",
        "POST /api/messages/:messageId/cancel",
        "POST /api/uploads/:uploadId/send",
      ],
      "signed": [
        "GET /api/agents/connect",
        "GET /api/providers/http/:name",
        "POST /api/providers/http/:name",
        "POST /api/webhooks/stripe",
      ],
      "ticket": [
        "GET /jobs",
        "GET /jobs/*",
      ],
    }
  `);
});
