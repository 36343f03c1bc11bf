import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { ModemBehaviour } from '../../test/emulators/modem/modem-behaviour.ts';

const MAIN = fileURLToPath(new URL('../../test/emulators/modem/modem-main.ts', import.meta.url));
/** Until the network reports that a message has arrived. */
export const RECEIPT_MS = 100;

export interface EmulatedModem {
  name: string;
  path: string;
  imsi: string;
}

interface Facts {
  /** How often the network took each message, by recipient and text. */
  messages: Record<string, number>;
  parts: number;
  incoming: number;
}

/** Emulated modems in a process of their own: they outlive every kill, and count what they were given. */
export const startModems = async (
  folder: string,
  { count, latencyMs }: { count: number; latencyMs: number },
) => {
  const args = { folder, modems: count, latency: latencyMs, receipts: RECEIPT_MS };
  const child = fork(
    MAIN,
    Object.entries(args).flatMap(([name, value]) => [`--${name}`, String(value)]),
    { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
  );
  if (!child.stdout) throw new Error('the modems say nothing');
  const [line] = await once(createInterface(child.stdout), 'line');
  const { control, modems } = JSON.parse(line) as { control: number; modems: EmulatedModem[] };
  const ask = async <T>(path: string, body?: object): Promise<T> => {
    const answer = await fetch(`http://127.0.0.1:${control}${path}`, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}`);
    return answer.json() as Promise<T>;
  };
  const factsOf = ({ name }: EmulatedModem) => ask<Facts>(`/facts/${name}`);
  const allFacts = () => Promise.all(modems.map(factsOf));
  return {
    modems,
    behave: ({ name }: EmulatedModem, behaviour: Partial<ModemBehaviour>) =>
      ask(`/behaviour/${name}`, behaviour),
    receive: ({ name }: EmulatedModem, incoming: { from: string; text: string }) =>
      ask(`/incoming/${name}`, incoming),
    /** How many parts the network took by these. */
    taken: async (of: EmulatedModem[]): Promise<number> =>
      (await Promise.all(of.map(factsOf))).reduce((sum, { parts }) => sum + parts, 0),
    /** How often each message was taken, and how many came in, by all of them. */
    counts: async (): Promise<{ messages: Map<string, number>; incoming: number }> => {
      const counted = { messages: new Map<string, number>(), incoming: 0 };
      for (const { messages, incoming } of await allFacts()) {
        counted.incoming += incoming;
        for (const [message, times] of Object.entries(messages))
          counted.messages.set(message, (counted.messages.get(message) ?? 0) + times);
      }
      return counted;
    },
    close: async (): Promise<void> => {
      child.kill();
      await once(child, 'exit');
    },
  };
};
export type Modems = Awaited<ReturnType<typeof startModems>>;
