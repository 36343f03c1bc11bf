import { Pool } from 'undici';
import { listEndpoints } from '../../test/webhooks/endpoints.ts';
import { openKnown } from './fuzz-known.ts';
import { openRandom } from './fuzz-random.ts';
import { type FuzzRequest, type MakeRequest, openRequests } from './fuzz-requests.ts';
import type { FuzzedCall, FuzzFault, FuzzOptions, FuzzResult } from './fuzz-scene.ts';
import { seedAccount } from './fuzz-seed.ts';
import { openTurns, weightOf } from './fuzz-weights.ts';

/** A process of its own: makes requests of every endpoint, as many at once as it was told, and counts the answers. */
const options: FuzzOptions = JSON.parse(process.argv[2] ?? '{}');
const TIMEOUT_MS = 60_000;
/** Larger answers are read but not looked at. */
const LOOK_BYTES = 64 * 1024;
const MOST_FAULTS = 50;
const TELL_MS = 1_000;
const MOST_SKIPPED = 10_000;

/** The schema's own refusals. */
const SCHEMA_CODES = new Set([
  'E_INVALID_REQUEST',
  'E_FIELD_MISSING',
  'E_PHONE_MISSING',
  'E_FILE_FIELD',
  'E_CONTENT_TYPE',
]);
/** The guards', which ask before the schema or beside it. */
const GUARD_CODES = new Set([
  'E_LOGIN_REQUIRED',
  'E_SECRET_MISSING',
  'E_SECRET_INVALID',
  'E_SECRET_FIRST',
  'E_FORBIDDEN',
  'E_TOO_MANY_REQUESTS',
  'E_UNAVAILABLE',
]);

interface Line extends FuzzedCall {
  name: string;
  path: string;
  /** By identity. */
  makes: MakeRequest[];
  number: number;
}

/** Each with what it has learned: another's ids are refused. */
const identities = options.mains.map((main, at) => ({
  known: openKnown(),
  options: { ...options, main, seed: options.seed + at },
}));
type Identity = (typeof identities)[number];

const lines: Line[] = listEndpoints().map((endpoint) => ({
  name: endpoint.name,
  path: endpoint.path,
  weight: weightOf(endpoint),
  makes: identities.map((one) => openRequests(endpoint, one.options, one.known)),
  number: 0,
  statuses: {},
  past: 0,
  tookMs: 0,
}));
const nextLine = openTurns(
  lines.map(({ weight }) => weight),
  openRandom(options.seed),
);
const result: FuzzResult = { calls: {}, requests: 0, seconds: 0 };
let told = 0;
const { origin } = new URL(options.url);
const pool = new Pool(origin, {
  connections: options.clients,
  headersTimeout: TIMEOUT_MS,
  bodyTimeout: TIMEOUT_MS,
});

/** What an endpoint needs may not exist yet: then it is the next one's turn. */
const nextRequest = (): { line: Line; request: FuzzRequest; as: Identity } => {
  const at = result.requests % identities.length;
  for (let left = MOST_SKIPPED; left > 0; left -= 1) {
    const line = lines[nextLine()];
    const request = line?.makes[at]?.();
    const as = identities[at];
    if (!line || !request || !as) continue;
    line.number += 1;
    return { line, request, as };
  }
  throw new Error('no endpoint has a request');
};

const ask = async ({ method, path, headers, body }: FuzzRequest) => {
  const answer = await pool.request({
    method: method as 'GET',
    path,
    headers,
    ...(body !== undefined && { body }),
  });
  const isJson = String(answer.headers['content-type'] ?? '').includes('json');
  const length = Number(answer.headers['content-length'] ?? 0);
  if (!isJson || length > LOOK_BYTES) {
    await answer.body.dump({ limit: 64 * 1024 * 1024 });
    return { status: answer.statusCode, text: '' };
  }
  return { status: answer.statusCode, text: await answer.body.text() };
};

const judge = (
  { line, request, as }: ReturnType<typeof nextRequest>,
  { status, text }: { status: number; text: string },
): void => {
  let reply: { code?: string } = {};
  try {
    reply = text ? JSON.parse(text) : {};
  } catch {
    reply = {};
  }
  const code = status >= 400 ? (reply?.code ?? '') : '';
  if (!(SCHEMA_CODES.has(code) && status < 500) && !GUARD_CODES.has(code)) line.past += 1;
  if (status < 300 && text) as.known.learn(line.path, reply);
  if (status >= 500 && status !== 503 && told < MOST_FAULTS) {
    told += 1;
    const fault: FuzzFault = {
      call: line.name,
      number: line.number,
      status: String(status),
      answer: text.slice(0, 300),
      request: `${request.method} ${request.path.slice(0, 600)} ${String(request.body ?? '').slice(0, 1_200)}`,
    };
    process.send?.({ fault });
  }
};

const causeOf = (error: unknown): string => {
  const code = String((error as { code?: string }).code ?? 'ERROR');
  if (/TIMEOUT/.test(code)) return 'timeout';
  if (/ECONNREFUSED/.test(code)) return 'refused';
  return /INVALID_ARG/.test(code) ? 'unsendable' : `cut (${code})`;
};

const runClient = async (until: number): Promise<void> => {
  while (result.requests < options.requests && performance.now() < until) {
    const next = nextRequest();
    const { line } = next;
    result.requests += 1;
    const since = performance.now();
    let status: string;
    try {
      const answer = await ask(next.request);
      status = String(answer.status);
      judge(next, answer);
    } catch (error) {
      status = causeOf(error);
    }
    line.tookMs += performance.now() - since;
    line.statuses[status] = (line.statuses[status] ?? 0) + 1;
  }
};

process.once('disconnect', () => process.exit(1));
for (const { token } of options.signers) identities[0]?.known.add('session', token);
await Promise.all(identities.map((one) => seedAccount(one.options, one.known)));
const begun = performance.now();
const telling = setInterval(() => process.send?.({ requests: result.requests }), TELL_MS);
const until = begun + options.seconds * 1_000;
await Promise.all(Array.from({ length: options.clients }, () => runClient(until)));
clearInterval(telling);
await pool.destroy();
result.seconds = (performance.now() - begun) / 1_000;
for (const { name, weight, statuses, past, tookMs } of lines)
  result.calls[name] = { weight, statuses, past, tookMs };
process.send?.({ result }, () => process.exit(0));
