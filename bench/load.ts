import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const CLIENT = fileURLToPath(new URL('./load-client.ts', import.meta.url));

export interface LoadOptions {
  port: number;
  clients: number;
  requests: number;
  /** The requests: Kannel by GET, ours by POST with each of these secrets in turn. */
  target: { kind: 'kannel'; path: string } | { kind: 'posthorn'; secrets: string[] };
  /** Numbers begin with it, four to six digits follow. */
  prefix: string;
}

export interface LoadResult {
  /** Milliseconds since 1970. */
  firstAt: number;
  lastAt: number;
  failed: number;
  /** The first answer that was not a success. */
  fault: string;
  p50: number;
  p99: number;
}

/** This many clients in a separate process, each with one persistent connection. */
export const runLoad = async (options: LoadOptions): Promise<LoadResult> => {
  const child = fork(CLIENT, [JSON.stringify(options)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const [result] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => {
      throw new Error('the load ended without a result');
    }),
  ])) as [LoadResult];
  if (result.failed > 0) throw new Error(`${result.failed} calls failed, the first with: ${result.fault}`);
  return result;
};
