import type { Result } from '../definition.ts';
import { csvOf, uploadCsv } from '../load/upload.ts';
import { watchMemory } from '../measuring/memory.ts';
import { timeSingles } from './sending-latency.ts';
import type { Sizes } from './sending-sizes.ts';
import type { Stage } from './sending-stage.ts';
import { join, plainLine } from './sending-table.ts';

const latencyLines = (
  { form }: Stage,
  { name, what, max }: { name: string; what: string; max: number },
  { medianMs, p99Ms }: { medianMs: number; p99Ms: number },
): Result =>
  join([
    plainLine(form, { name: `${name}Ms`, what: `${what}: median (ms)`, value: medianMs, bar: { max } }),
    plainLine(form, { name: `${name}P99Ms`, what: '  99 of 100 of them within (ms)', value: p99Ms }),
  ]);

export const measureIdle = async (stage: Stage, { timed }: Sizes): Promise<Result> => {
  // The first ones run cold code.
  await timeSingles(stage, Math.ceil(timed / 4));
  const what = 'a single message to an idle lane, from the call to the carrier';
  return latencyLines(stage, { name: 'idle', what, max: 30 }, await timeSingles(stage, timed));
};

/**
 * A file of a million, on a carrier that accepts little at first; then at full speed, with singles in
 * between. What is left of it burdens whatever is measured next on this stage.
 */
export const measureMillion = async (stage: Stage, sizes: Sizes): Promise<Result> => {
  const { form, centre, posthorn, customer, web, worker, url } = stage;
  const watched =
    web === worker
      ? [{ role: 'program', what: 'all roles in one process', program: web, max: 600 }]
      : [
          { role: 'web', what: 'the web role', program: web, max: 300 },
          { role: 'worker', what: 'the worker role', program: worker, max: 300 },
        ];
  const memories = watched.map((one) => ({ ...one, memory: watchMemory(one.program.process.pid) }));
  await posthorn.refill(customer, 4);
  await centre.reset();
  await centre.report(false);
  await centre.limit(500);
  await uploadCsv(url, {
    secret: customer.secret,
    csv: csvOf('8526', 'of a million, number', sizes.million),
  });
  await centre.limit(1e9);
  const busy = await timeSingles(stage, sizes.timed);
  const memory = memories.map((one) =>
    plainLine(form, {
      name: `${one.role}Megabytes`,
      what: `most memory of ${one.what} with a million waiting (MB)`,
      value: Math.round(one.memory.most()),
      bar: { max: one.max },
    }),
  );
  const what = 'the same while a file of a million goes out on the lane';
  return join([latencyLines(stage, { name: 'busy', what, max: 100 }, busy), ...memory]);
};
