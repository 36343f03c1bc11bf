import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AgentSend, HandOverId } from '../contract/fleet/agent-protocol.ts';
import { startAgentServer } from '../test/emulators/agent-server.ts';
import { type ModemEmulator, startModems } from '../test/emulators/modem/modem.ts';
import { countMessages, readFacts } from '../test/emulators/modem/modem-facts.ts';
import { PATIENT } from '../test/suites/modem-suite.ts';

const MESSAGES = 30;
const KILLS = 4;
const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));

let folder: string;
let server: Awaited<ReturnType<typeof startAgentServer>>;
let emulator: ModemEmulator;
let agent: ChildProcess | undefined;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'agent-killed-'));
  server = await startAgentServer();
  [emulator] = startModems(folder, 1, { latencyMs: 20, receipts: { delayMs: 50 } }) as [ModemEmulator];
});
afterEach(async () => {
  await kill();
  emulator.close();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const start = async (): Promise<void> => {
  const before = server.hellos.length;
  agent = spawn(
    process.execPath,
    [
      MAIN,
      '--server',
      server.url,
      '--key',
      'k',
      '--folder',
      join(folder, 'data'),
      '--modem',
      `m1=serial:${emulator.path}`,
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  await vi.waitFor(() => expect(server.hellos.length).toBeGreaterThan(before), PATIENT);
};
const kill = async (): Promise<void> => {
  const dying = agent;
  if (!dying || dying.exitCode !== null || dying.signalCode !== null) return;
  const exit = once(dying, 'exit');
  dying.kill('SIGKILL');
  await exit;
};

test('an agent that is killed again and again sends each message once, and is in doubt of one at most each time', async () => {
  await start();
  const sends = Array.from(
    { length: MESSAGES },
    (_, at): AgentSend => ({
      type: 'send',
      id: `${randomUUID()}.1` as HandOverId,
      modem: 'm1',
      recipient: `+8526200${String(at).padStart(4, '0')}`,
      text: at % 5 === 0 ? `Long ${at} ${'x'.repeat(200)}` : `Message ${at}`,
      validityMinutes: 60,
      receipt: true,
      until: new Date(Date.now() + 600_000).toISOString(),
    }),
  );
  /** As the server does: repeated until there is a result. */
  const isOpen = ({ id }: AgentSend): boolean => !server.results.some((one) => one.id === id);
  const repeat = setInterval(() => {
    for (const send of sends.filter(isOpen)) server.send(send);
  }, 200);
  try {
    for (let at = 0; at < KILLS; at++) {
      emulator.receive({ from: '+85261119999', text: `Incoming ${at}` });
      const answered = server.results.length;
      const goesOn = () => server.results.length > answered || !sends.some(isOpen);
      await vi.waitFor(() => expect(goesOn()).toBe(true), PATIENT);
      await sleep(randomInt(30));
      await kill();
      await start();
    }
    await vi.waitFor(() => expect(sends.filter(isOpen)).toEqual([]), { timeout: 60_000, interval: 100 });
  } finally {
    clearInterval(repeat);
  }
  const { messages } = countMessages(readFacts(emulator.facts));
  const outcomes = new Map(server.results.map(({ id, outcome }) => [id as string, outcome]));
  const inDoubt = sends.filter(({ id }) => outcomes.get(id) === 'unknown');
  expect(inDoubt.length).toBeLessThanOrEqual(KILLS);
  for (const { id, recipient, text } of sends) {
    const count = messages.get(`${recipient} ${text}`) ?? 0;
    // What was refused, the server may hand over again.
    const possible = { sent: [1], unknown: [0, 1], refused: [0] }[outcomes.get(id) ?? 'refused'];
    expect(possible, `${outcomes.get(id)} of ${text}`).toContain(count);
  }
  // Each result is the same however often it is said.
  for (const { id } of sends)
    expect(new Set(server.results.filter((one) => one.id === id).map(({ outcome }) => outcome)).size).toBe(1);
  await vi.waitFor(() => expect(new Set(server.incoming.map(({ text }) => text)).size).toBe(KILLS), PATIENT);
  expect(new Set(server.incoming.map(({ id }) => id)).size).toBe(KILLS);
  expect(server.faults).toEqual([]);
}, 180_000);
