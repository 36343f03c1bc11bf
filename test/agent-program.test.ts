import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastify from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { PhoneId } from '../contract/fleet/phones.ts';
import { agentSockets } from '../server/fleet/agents/index.ts';
import { registerRoutes } from '../server/http/index.ts';
import type { Lane } from '../server/traffic/lanes/index.ts';
import { openTestAgents } from './agents.ts';
import { anything } from './anything.ts';
import { openTestDelivery } from './delivery.ts';
import { startModems } from './emulators/modem/modem.ts';
import { countMessages, readFacts } from './emulators/modem/modem-facts.ts';

const WAIT = { timeout: 90_000, interval: 100 };
const AGENT = fileURLToPath(new URL('../agent/main.ts', import.meta.url));
const MESSAGES = 12;

let room: Awaited<ReturnType<typeof openTestDelivery>>;
let agents: ReturnType<typeof openTestAgents>;
let folder: string;
let child: ChildProcess | undefined;
const app = fastify();
const modems: ReturnType<typeof startModems> = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posthorn-agent-'));
  room = await openTestDelivery();
  agents = openTestAgents(room);
  registerRoutes(app, [{ guard: 'signed', sockets: agentSockets(agents.openBoard()) }], anything);
  await app.listen({ port: 0, host: '127.0.0.1' });
});
const kill = async (): Promise<void> => {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
};
afterAll(async () => {
  await kill();
  await app.close();
  await room.close();
  await agents.close();
  for (const modem of modems) modem.close();
  await rm(folder, { recursive: true, force: true });
});

const taken = (): Map<string, number> => countMessages(readFacts(modems[0]?.facts ?? '')).messages;

test('the agent sends by a modem what the worker hands over, once each, through kill -9, with receipts and replies', async () => {
  modems.push(...startModems(folder, 1, { latencyMs: 20, receipts: { delayMs: 50 } }));
  const [modem] = modems;
  if (!modem) throw new Error('no modem');
  const { port } = app.server.address() as AddressInfo;
  const { key } = (await agents.call('POST /admin/agentKeys')) as { key: string };
  const file = join(folder, 'agent.json');
  const settings = {
    server: `http://127.0.0.1:${port}`,
    key,
    name: 'pi',
    reconnectMinMs: 100,
    reconnectMaxMs: 500,
    modems: [{ name: 'sim-1', driver: 'serial', path: modem.path, pollMs: 500 }],
  };
  await writeFile(file, JSON.stringify(settings));
  const run = (): void => {
    child = spawn(process.execPath, [AGENT, '--folder', folder, '--settings', file], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  };
  run();
  const phone = await vi.waitFor(async () => {
    const { rows } = await sql<{ id: PhoneId; number: string }>`
      select id, phone_number as number from phones where imsi = ${modem.imsi} and last_heartbeat_at is not null`.execute(
      room.db,
    );
    if (!rows[0]) throw new Error('the modem was not reported');
    return rows[0];
  }, WAIT);
  await agents.switchOn(phone.id);
  const { rows } =
    await sql<Lane>`select id, name from lanes where phone_id = ${phone.id} and mode = 'on'`.execute(room.db);
  const lane = rows[0] as Lane;
  room.work(
    [],
    { leaseMs: 20_000, answerMs: 120_000, openMs: 60_000, failoverAfterMs: 3_600_000 },
    { openCarrier: agents.openCarrier },
  );
  const accountId = await room.funded(10);
  const ids = await room.accept({ accountId, lane, count: MESSAGES });
  for (const after of [3, 6]) {
    await vi.waitFor(() => expect(taken().size).toBeGreaterThanOrEqual(after), WAIT);
    await kill();
    run();
  }
  modem.receive({ from: '+85261000001', text: 'How are you?' });
  // What was in the modem when the agent was killed is in doubt; everything else has gone out.
  await vi.waitFor(async () => {
    const waiting = (await room.read(ids)).filter((one) => one.status === 'PENDING' && !one.unknownSince);
    expect(waiting).toEqual([]);
  }, WAIT);
  await vi.waitFor(async () => {
    const sent = (await room.read(ids)).filter(({ status }) => status === 'SUCCESS');
    expect(sent.length).toBeGreaterThanOrEqual(MESSAGES - 2);
    expect(sent.filter(({ deliveredAt }) => deliveredAt === null).length).toBeLessThanOrEqual(2);
    const incoming = await sql`
      select from unassigned_inbound where message = 'How are you?'
      union all select from messages where message = 'How are you?'`.execute(room.db);
    expect(incoming.rows).toHaveLength(1);
  }, WAIT);
  const counts = [...taken().values()];
  expect(counts.every((count) => count === 1)).toBe(true);
  const sent = (await room.read(ids)).filter(({ status }) => status === 'SUCCESS');
  expect(counts.length).toBeGreaterThanOrEqual(sent.length);
});
