import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { Part } from './modem-pdu.ts';

/** What happened at a modem, one line of JSON each. It survives `kill -9` of everybody. */
export type Fact =
  | {
      kind: 'part';
      at: number;
      to: string;
      text: string;
      reference: number;
      receipt: boolean;
      concat: Part | null;
      answer: 'given' | 'lost';
    }
  | { kind: 'incoming'; id: string; from: string; text: string }
  | { kind: 'receipt'; reference: number; to: string; status: number };

type PartFact = Extract<Fact, { kind: 'part' }>;

export const openFacts = (path: string) => {
  const file = openSync(path, 'a');
  return {
    note: (fact: Fact): void => void writeSync(file, `${JSON.stringify(fact)}\n`),
    close: (): void => closeSync(file),
  };
};

export const readFacts = (path: string): Fact[] =>
  existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line.endsWith('}'))
        .map((line) => JSON.parse(line) as Fact)
    : [];

/** How often each message was sent, by recipient and text, once all its parts were. `torn` are parts without the rest. */
export const countMessages = (facts: Fact[]): { messages: Map<string, number>; torn: number } => {
  const messages = new Map<string, number>();
  const open = new Map<string, PartFact[]>();
  for (const fact of facts) {
    if (fact.kind !== 'part') continue;
    const { to, concat } = fact;
    const key = `${to} ${concat?.reference} ${concat?.total}`;
    const parts = [...(open.get(key) ?? []), fact];
    const total = concat?.total ?? 1;
    if (parts.length < total) {
      open.set(key, parts);
      continue;
    }
    open.delete(key);
    const text = parts
      .sort((a, b) => (a.concat?.number ?? 0) - (b.concat?.number ?? 0))
      .map((part) => part.text)
      .join('');
    messages.set(`${to} ${text}`, (messages.get(`${to} ${text}`) ?? 0) + 1);
  }
  return { messages, torn: [...open.values()].reduce((sum, parts) => sum + parts.length, 0) };
};
