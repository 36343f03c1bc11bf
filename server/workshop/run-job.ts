import { parentPort } from 'node:worker_threads';
import type { Job, JobReply } from './workshop.ts';

/** The program of a worker thread: one job at a time, each the default export of a file. */
parentPort?.on('message', async ({ file, input }: Job) => {
  const answer = (reply: JobReply) => parentPort?.postMessage(reply);
  try {
    const { default: work } = (await import(file)) as { default: (input: unknown) => unknown };
    answer({ result: await work(input) });
  } catch (error) {
    answer({ error });
  }
});
