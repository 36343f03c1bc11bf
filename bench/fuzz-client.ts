import { Pool } from 'undici';
import { listEndpoints } from '../test/endpoints.ts';
import { openKnown } from './fuzz-known.ts';
import { type FuzzRequest, type MakeRequest, openRequests } from './fuzz-requests.ts';
import type { FuzzFault, FuzzOptions, FuzzResult } from './fuzz-scene.ts';
import { seedAccount } from './fuzz-seed.ts';

/** A process of its own: makes requests of every endpoint, as many at once as it was told, and counts the answers. */
const options: FuzzOptions = JSON.parse(process.argv[2] ?? '{}');
const TIMEOUT_MS = 60_000;
/** Larger answers are read but not looked at. */
const LOOK_BYTES = 64 * 1024;
const MOST_FAULTS = 50;
const TELL_MS = 1_000;

/** The schema's own refusals. */
const SCHEMA_CODES = new Set(['E_INVALID_REQUEST', 'E_FIELD_MISSING', 'E_PHONE_MISSING', 'E_FILE_FIELD']);
/** The guards', which ask before the schema or beside it. */
const GUARD_CODES = new Set([
  'E_LOGIN_REQUIRED',
  'E_SECRET_INVALID',
  'E_SECRET_FIRST',
  'E_FORBIDDEN',
  'E_TOO_MANY_REQUESTS',
  'E_UNAVAILABLE',
]);

interface Line {
  name: string;
  path: string;
  make: MakeRequest;
  number: number;
  /** Milliseconds that its requests took; those under way are estimated. */
  spentMs: number;
  meanMs: number;
  statuses: Record<string, number>;
  past: number;
}

const known = openKnown();
const lines: Line[] = listEndpoints().map((endpoint) => ({
  name: endpoint.name,
  path: endpoint.path,
  make: openRequests(endpoint, options, known),
  number: 0,
  spentMs: 0,
  meanMs: 1,
  statuses: {},
  past: 0,
}));
const result: FuzzResult = { statuses: {}, past: {}, requests: 0, seconds: 0 };
let told = 0;
const { origin } = new URL(options.url);
const pool = new Pool(origin, {
  connections: options.clients,
  headersTimeout: TIMEOUT_MS,
  bodyTimeout: TIMEOUT_MS,
});

/** Every endpoint gets the same time, so that slow ones do not hold up the many quick requests. */
const nextRequest = (): { line: Line; request: FuzzRequest } => {
  for (const line of lines.toSorted((a, b) => a.spentMs - b.spentMs)) {
    const request = line.make();
    if (request) {
      line.number += 1;
      return { line, request };
    }
    // Asked again after the others had their turn.
    line.spentMs += line.meanMs;
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
  line: Line,
  request: FuzzRequest,
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
  if (status < 300 && text) known.learn(line.path, reply);
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
    const { line, request } = nextRequest();
    result.requests += 1;
    const estimatedMs = line.meanMs;
    line.spentMs += estimatedMs;
    const since = performance.now();
    let status: string;
    try {
      const answer = await ask(request);
      status = String(answer.status);
      judge(line, request, answer);
    } catch (error) {
      status = causeOf(error);
    }
    const tookMs = performance.now() - since;
    line.spentMs += tookMs - estimatedMs;
    line.meanMs += (tookMs - line.meanMs) / 10;
    line.statuses[status] = (line.statuses[status] ?? 0) + 1;
  }
};

process.once('disconnect', () => process.exit(1));
for (const { token } of options.signers) known.add('session', token);
await seedAccount(options, known);
const begun = performance.now();
const telling = setInterval(() => process.send?.({ requests: result.requests }), TELL_MS);
const until = begun + options.seconds * 1_000;
await Promise.all(Array.from({ length: options.clients }, () => runClient(until)));
clearInterval(telling);
await pool.destroy();
result.seconds = (performance.now() - begun) / 1_000;
for (const { name, statuses, past } of lines) {
  result.statuses[name] = statuses;
  result.past[name] = past;
}
process.send?.({ result }, () => process.exit(0));
