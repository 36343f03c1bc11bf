import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { startModems } from './modem.ts';
import type { ModemBehaviour } from './modem-behaviour.ts';
import { countMessages, readFacts } from './modem-facts.ts';

/**
 * Emulated modems as a separate process, for proofs. Prints one line of JSON when they answer. The control port answers
 * by HTTP: GET /facts/NAME, POST /behaviour/NAME (what to change, as JSON), POST /incoming/NAME (from and text).
 */
const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    modems: { type: 'string', default: '1' },
    control: { type: 'string', default: '0' },
    latency: { type: 'string', default: '0' },
    /** Milliseconds until a status report; without it there are none. */
    receipts: { type: 'string' },
  },
});
const { folder, receipts } = values;
if (!folder) throw new Error('Say where the modems are: --folder DIR.');
mkdirSync(folder, { recursive: true });
const modems = startModems(folder, Number(values.modems), {
  latencyMs: Number(values.latency),
  receipts: receipts === undefined ? null : { delayMs: Number(receipts) },
});

// It ends with the process that started it, however that ended.
process.channel?.unref();
process.once('disconnect', () => process.exit());

const countFacts = (path: string) => {
  const facts = readFacts(path);
  const { messages, torn } = countMessages(facts);
  const count = (kind: string): number => facts.filter((fact) => fact.kind === kind).length;
  return {
    messages: Object.fromEntries(messages),
    torn,
    parts: count('part'),
    receipts: count('receipt'),
    incoming: count('incoming'),
  };
};

const control = createServer(async (request, response) => {
  const [, verb, name] = (request.url ?? '').split('/');
  const modem = modems.find((one) => one.name === name);
  const body = request.method === 'POST' ? await json(request) : undefined;
  const answer = (): unknown => {
    if (!modem) return undefined;
    if (verb === 'facts')
      return { ...countFacts(modem.facts), stored: modem.stored(), strange: modem.strange };
    if (verb === 'behaviour') return Object.assign(modem.behaviour, body as Partial<ModemBehaviour>);
    if (verb === 'incoming') return { id: modem.receive(body as { from: string; text: string }) };
    return undefined;
  };
  const said = answer();
  response.writeHead(said === undefined ? 404 : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(said ?? { ok: false }));
});
control.listen(Number(values.control), '127.0.0.1', () => {
  const address = control.address();
  const list = modems.map(({ name, path, facts, imsi, number }) => ({ name, path, facts, imsi, number }));
  process.stdout.write(
    `${JSON.stringify({ control: typeof address === 'object' ? address?.port : undefined, modems: list })}\n`,
  );
});
