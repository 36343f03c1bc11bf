import { parentPort } from 'node:worker_threads';

export type JobReply = { result: unknown } | { error: unknown };

/** Makes a file the program of a thread: it does this work for each input, one after another. */
export const serveJobs = <In>(work: (input: In) => unknown): void => {
  parentPort?.on('message', async (input: In) => {
    const answer = (reply: JobReply) => parentPort?.postMessage(reply);
    try {
      answer({ result: await work(input) });
    } catch (error) {
      answer({ error });
    }
  });
};
