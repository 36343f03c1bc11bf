import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const CLIENT = fileURLToPath(new URL('./load-client.ts', import.meta.url));

export interface LoadAccount {
  secret: string;
  /** Whether each call has an Idempotency-Key of its own. */
  keyed: boolean;
}

export interface LoadOptions {
  port: number;
  clients: number;
  /** Calls, of all clients together. */
  requests: number;
  /** Kannel by GET, ours by POST: each client calls for one of these accounts, with so many messages a call. */
  target:
    | { kind: 'kannel'; path: string }
    | { kind: 'posthorn'; accounts: LoadAccount[]; messagesPerCall: number };
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
  /** Calls that were answered, by account. */
  answered: number[];
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
