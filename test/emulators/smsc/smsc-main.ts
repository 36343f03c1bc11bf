import { openSync, readFileSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { type Smsc, startSmsc, USUAL_RECEIPTS } from './smsc.ts';
import { preciseNow } from './smsc-counts.ts';

/**
 * The message centre as a separate process, for benchmarks and proofs. Prints one line of JSON with its ports when it
 * listens. The control port answers by HTTP: GET /counts, GET /messages (recipient and text, and how often), GET
 * /arrivals (what --watch selects), POST /behaviour (what to change, as JSON), POST /reset, POST
 * /drop, POST /write (from, to and text of what a person writes).
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    control: { type: 'string', default: '0' },
    latency: { type: 'string', default: '0' },
    /** Milliseconds until a receipt; without it there are none. */
    receipts: { type: 'string' },
    /** Receipts of one moment come in the reverse order. */
    reversed: { type: 'boolean', default: false },
    'deliver-window': { type: 'string', default: '1000' },
    magic: { type: 'boolean', default: false },
    /** Totals only. */
    totals: { type: 'boolean', default: false },
    /** Records when each message to a number with this prefix arrived. */
    watch: { type: 'string' },
    /** Appends each message to this file, as a line of JSON, before it is answered: it survives `kill -9`. */
    record: { type: 'string' },
  },
});

const { watch, record } = values;
const arrivals: Record<string, number> = {};
const recordFile = record === undefined ? undefined : openSync(record, 'a');
const before = record === undefined ? '' : readFileSync(record, 'utf8');
// A process that was killed in the middle of a line had not answered yet.
if (recordFile !== undefined && before !== '' && !before.endsWith('\n')) writeSync(recordFile, '\n');
const recordedBefore = before.split('\n').length - 1;

const taken = (digits: string, text: string): void => {
  if (watch !== undefined && digits.startsWith(watch)) arrivals[digits] = preciseNow();
  if (recordFile !== undefined) writeSync(recordFile, `${JSON.stringify(`${digits} ${text}`)}\n`);
};

const smsc: Smsc = await startSmsc({
  port: Number(values.port),
  keys: !values.totals,
  ...((watch !== undefined || recordFile !== undefined) && { onTaken: taken }),
  firstId: 1_000_000 + recordedBefore,
  behaviour: {
    latencyMs: Number(values.latency),
    magic: values.magic,
    deliverWindow: Number(values['deliver-window']),
    receipts:
      values.receipts === undefined
        ? undefined
        : {
            ...USUAL_RECEIPTS,
            delayMs: Number(values.receipts),
            order: values.reversed ? 'reversed' : 'kept',
          },
  },
});

// It ends with the process that started it, however that ended.
process.channel?.unref();
process.once('disconnect', () => process.exit());

const OK = { ok: true };
const commands: Record<string, (body: unknown) => unknown> = {
  'GET /counts': () => smsc.counts(),
  'GET /messages': () => Object.fromEntries(smsc.all()),
  'GET /arrivals': () => arrivals,
  'POST /behaviour': (body) => Object.assign(smsc.behaviour, body),
  'POST /write': async (body) => {
    await smsc.write(body as Parameters<Smsc['write']>[0]);
    return OK;
  },
  'POST /reset': () => {
    smsc.reset();
    return OK;
  },
  'POST /drop': () => {
    smsc.drop();
    return OK;
  },
};

const control = createServer(async (request, response) => {
  const command = commands[`${request.method} ${request.url}`];
  const body = request.method === 'POST' && request.headers['content-type'] ? await json(request) : undefined;
  response.writeHead(command ? 200 : 404, { 'content-type': 'application/json' });
  response.end(JSON.stringify(command ? await command(body) : { ok: false }));
});
control.listen(Number(values.control), '127.0.0.1', () => {
  const address = control.address();
  const controlPort = typeof address === 'object' ? address?.port : undefined;
  process.stdout.write(`${JSON.stringify({ port: smsc.port, control: controlPort, url: smsc.url() })}\n`);
});
