import { parseArgs } from 'node:util';
import { openSmtpSink } from './smtp-sink.ts';

/**
 * The mail sink as a process of its own, for benchmarks. Prints one line of JSON with its address when it listens; to
 * a parent with an IPC channel that asks, it tells how many messages it has taken.
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    latency: { type: 'string', default: '0' },
    /** Keeps the messages and looks at them closely; otherwise it only counts. */
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
