import type { Endpoint } from '../../test/webhooks/endpoints.ts';
import { listEndpoints } from '../../test/webhooks/endpoints.ts';
import { openKnown } from '../fuzz/fuzz-known.ts';
import { openRequests } from '../fuzz/fuzz-requests.ts';
import type { FuzzOptions } from '../fuzz/fuzz-scene.ts';
import { openSilent, type RawAnswer, sendRaw } from '../load/raw-socket.ts';

const CONCURRENT = 20;
const ROUTES_AT_ONCE = 12;
const SLOW_PER_ROUTE = 3;
const HUGE_BYTES = 12 * 1024 * 1024;
const PIECE = Buffer.alloc(64 * 1024, 'x');
const WAIT_MS = 10_000;
/** Half a body is waited for; that it is cut later is shown by server/http/defence/end-slow-requests.test.ts. */
const HALF_MS = 300;

interface Kind {
  name: string;
  /** Never answered while its connection is open. */
  half?: true;
  /** The bytes of a request whose line and first headers these are. */
  pieces: (start: string) => (string | Buffer)[];
}

const JSON_TYPE = 'Content-Type: application/json\r\n';

/** Ways to send what no proper client sends. */
const KINDS: Kind[] = [
  {
    name: 'half a body',
    half: true,
    pieces: (start) => [`${start}${JSON_TYPE}Content-Length: 1000\r\n\r\n{"a":`],
  },
  {
    name: 'two lengths',
    pieces: (start) => [`${start}Content-Length: 5\r\nContent-Length: 6\r\n\r\n{"a":1`],
  },
  { name: 'a negative length', pieces: (start) => [`${start}Content-Length: -5\r\n\r\n{}`] },
  {
    name: 'wrong chunks',
    pieces: (start) => [`${start}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\nZZ\r\n{}\r\n`],
  },
  {
    name: 'length and chunks',
    pieces: (start) => [
      `${start}${JSON_TYPE}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    ],
  },
  { name: 'a control character in a header', pieces: (start) => [`${start}X-A: a\u0000b\r\n\r\n`] },
  {
    name: '100 KB of headers',
    pieces: (start) => [start, ...Array<string>(100).fill(`X-A: ${'a'.repeat(1_000)}\r\n`), '\r\n'],
  },
  { name: 'no JSON', pieces: (start) => [`${start}${JSON_TYPE}Content-Length: 9\r\n\r\n{"a":"\u0001"}`] },
  {
    name: 'an unknown type',
    pieces: (start) => [`${start}Content-Type: a/b\r\nContent-Length: 3\r\n\r\nabc`],
  },
  {
    name: 'a form without an end',
    half: true,
    pieces: (start) => [
      `${start}Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 60\r\n\r\n--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nxyz........`,
    ],
  },
  {
    name: 'a body of 12 MB',
    pieces: (start) => [
      `${start}${JSON_TYPE}Content-Length: ${HUGE_BYTES}\r\n\r\n`,
      ...Array<Buffer>(HUGE_BYTES / PIECE.length).fill(PIECE),
    ],
  },
  {
    name: 'a body without a length',
    pieces: (start) => [
      `${start}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n`,
      ...Array<string>(200).fill(`10000\r\n${'x'.repeat(65_536)}\r\n`),
    ],
  },
];

export interface RouteTally {
  /** By kind of request, then by status. */
  statuses: Record<string, Record<string, number>>;
  requests: number;
  /** Answers that must not be. */
  faults: string[];
}

const startOf = ({ method, path, guard }: Endpoint, { main, admin }: FuzzOptions): string => {
  const filled = path.replace(/:(\w+)|\*/g, (_, name: string) =>
    name === 'accountId' ? main.accountId : name === 'channel' ? 'sms' : '1',
  );
  const { token } = guard === 'admin' ? admin : main;
  return `${method} ${filled} HTTP/1.1\r\nHost: x\r\nAuthorization: ${token}\r\n`;
};

/** Slow, huge, malformed and concurrent requests of every route, or of one in so many. */
export const tortureRoutes = async (options: FuzzOptions, every: number): Promise<RouteTally> => {
  const port = Number(new URL(options.url).port);
  const tally: RouteTally = { statuses: {}, requests: 0, faults: [] };
  const count = (kind: string, { name }: Endpoint, { status }: Pick<RawAnswer, 'status'>): void => {
    tally.requests += 1;
    const counts = tally.statuses[kind] ?? {};
    tally.statuses[kind] = counts;
    counts[status] = (counts[status] ?? 0) + 1;
    if (/^5/.test(status) && status !== '503') tally.faults.push(`${kind}, ${name}: ${status}`);
  };
  // Signing out would end the session of all others.
  const tried = listEndpoints().filter(({ name }, at) => name !== 'POST /account/logout' && at % every === 0);

  const slow = openSilent(port, tried.length * SLOW_PER_ROUTE, (at) => {
    const endpoint = tried[at % tried.length];
    return endpoint ? `${startOf(endpoint, options)}${JSON_TYPE}Content-Length: 100000\r\n\r\n{"a` : '';
  });
  const left = [...tried];
  const tryOn = async (): Promise<void> => {
    for (let endpoint = left.pop(); endpoint; endpoint = left.pop()) {
      const start = startOf(endpoint, options);
      for (const { name, pieces, half } of KINDS)
        count(name, endpoint, await sendRaw(port, pieces(start), half ? HALF_MS : WAIT_MS));
      await tryAtOnce(endpoint, options, count);
    }
  };
  await Promise.all(Array.from({ length: ROUTES_AT_ONCE }, tryOn));
  slow.close();
  return tally;
};

/** The same valid request, many times at the same moment. */
const tryAtOnce = async (
  endpoint: Endpoint,
  options: FuzzOptions,
  count: (kind: string, endpoint: Endpoint, answer: { status: string }) => void,
): Promise<void> => {
  const request = openRequests(endpoint, options, openKnown())();
  if (!request) return;
  const { method, path, headers, body } = request;
  const answers = await Promise.all(
    Array.from({ length: CONCURRENT }, () =>
      fetch(options.url + path, {
        method,
        headers,
        ...(body !== undefined && { body: body as string }),
      }).then(
        async (answer) => {
          await answer.arrayBuffer();
          return String(answer.status);
        },
        () => 'cut',
      ),
    ),
  );
  for (const status of answers) count(`${CONCURRENT} at once`, endpoint, { status });
};
