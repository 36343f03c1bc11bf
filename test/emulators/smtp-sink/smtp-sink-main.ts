import { parseArgs } from 'node:util';
import { openSmtpSink } from './smtp-sink.ts';

/**
 * The mail sink as a separate process, for benchmarks. Prints one line of JSON with its address when it listens; a
 * parent with an IPC channel can ask it how many messages it has accepted.
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    latency: { type: 'string', default: '0' },
    /** Stores the messages and checks them closely; otherwise it only counts. */
    keep: { type: 'boolean', default: false },
    'no-pipelining': { type: 'boolean', default: false },
  },
});

const sink = await openSmtpSink({
  port: Number(values.port),
  latencyMs: Number(values.latency),
  totals: !values.keep,
  pipelining: !values['no-pipelining'],
});
process.on('message', () =>
  process.send?.({ count: sink.count(), violations: sink.violations.slice(0, 10) }),
);
process.on('disconnect', () => process.exit());
process.stdout.write(`${JSON.stringify({ port: sink.port, url: sink.url })}\n`);
