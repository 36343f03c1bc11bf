import { describe, expect, test } from 'vitest';
import type { PartNote, SendOutcome } from '../../traffic/lanes/index.ts';
import type { MessageFields } from './codec/pdu-writer.ts';
import { openReassembly, type PartOf, type Whole } from './reassembly.ts';
import { type Submit, sendParts } from './send-parts.ts';

const part = (
  number: number,
  text: string,
  rest: { total?: number; from?: string; coding?: number } = {},
): PartOf => ({
  from: rest.from ?? '+85261230000',
  to: '12345',
  content: { octets: Buffer.from(text, 'latin1'), dataCoding: rest.coding ?? 3, part: undefined },
  part: { reference: 7, total: rest.total ?? 2, number },
});

const open = ({ limitMs = 60_000, holdMs = 0 } = {}) => {
  const stored: Whole[] = [];
  const reassembly = openReassembly({ store: async (whole) => void stored.push(whole), limitMs, holdMs });
  return { ...reassembly, texts: () => stored.map(({ text }) => text) };
};

describe('the parts of an incoming message', () => {
  test('come in any order and mixed with those of others', async () => {
    const { add, texts } = open();
    await add(part(2, 'B', { total: 3 }));
    await add(part(2, 'y', { from: '+85260000000' }));
    await add(part(3, 'C', { total: 3 }));
    await add(part(1, 'x', { from: '+85260000000' }));
    await add(part(1, 'A', { total: 3 }));
    expect(texts()).toEqual(['xy', 'ABC']);
  });

  test('are not told again when one is repeated, before or after the whole', async () => {
    const { add, sweep, texts } = open();
    for (const one of [part(1, 'A'), part(1, 'A'), part(2, 'B'), part(2, 'B'), part(1, 'A')]) await add(one);
    await sweep(true);
    expect(texts()).toEqual(['AB']);
  });

  test('of another message under the same reference are another message', async () => {
    const { add, texts } = open();
    for (const one of [part(1, 'A'), part(2, 'B'), part(1, 'C'), part(2, 'D')]) await add(one);
    expect(texts()).toEqual(['AB', 'CD']);
  });

  test('that are cut within a character are decoded together', async () => {
    const { add, texts } = open();
    const [high, low] = [Buffer.from('d83d', 'hex'), Buffer.from('de00', 'hex')].map((unit) =>
      unit.toString('latin1'),
    );
    await add(part(1, high ?? '', { coding: 8 }));
    await add(part(2, low ?? '', { coding: 8 }));
    expect(texts()).toEqual(['😀']);
  });

  test('that are missing leave a gap once it took too long', async () => {
    const { add, sweep, texts } = open({ limitMs: 0 });
    await add(part(3, 'C', { total: 3 }));
    await sweep();
    expect(texts()).toEqual(['……C']);
  });

  test('are held back until the whole is stored, but not for ever', async () => {
    const { add, texts } = open({ holdMs: 10_000 });
    let acknowledged = false;
    const first = add(part(1, 'A')).then(() => {
      acknowledged = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(acknowledged).toBe(false);
    await add(part(2, 'B'));
    await first;
    expect(texts()).toEqual(['AB']);
    await open({ holdMs: 10 }).add(part(1, 'A'));
  });
});

describe('a long message that goes out', () => {
  const parts = ['first', 'second', 'third'].map(
    (text) => ({ content: Buffer.from(text) }) as unknown as MessageFields,
  );
  const accepted = (providerMessageId: string): SendOutcome => ({ outcome: 'accepted', providerMessageId });
  const refused = (code: string, retryable: boolean): SendOutcome => ({
    outcome: 'refused',
    code,
    reason: `${code}.`,
    retryable,
  });
  const unknown: SendOutcome = { outcome: 'unknown', reason: 'lost' };
  const [later, never] = [refused('LATER', true), refused('NEVER', false)];

  const taken = (id: string) => ({ state: 'taken', id });
  const isRefused = expect.objectContaining({ state: 'refused' });
  const send = (submit: Submit, noted: PartNote[] = []) =>
    sendParts(parts, {
      submit,
      note: (note) => {
        noted.push(note);
        return true;
      },
      isTaking: () => false,
    });

  const cases: [what: string, said: SendOutcome[], outcome: object][] = [
    [
      'all taken',
      [accepted('1'), accepted('2'), accepted('3')],
      { outcome: 'accepted', providerMessageId: '1', parts: [taken('1'), taken('2'), taken('3')] },
    ],
    [
      'one unknown',
      [accepted('1'), unknown, accepted('3')],
      { outcome: 'unknown', parts: [taken('1'), { state: 'unknown' }, taken('3')] },
    ],
    ['all refused for now', [later, later, later], later],
    ['none taken, one refused for good', [later, never, later], never],
    [
      'some taken, one refused for good',
      [accepted('1'), never, later],
      { code: 'NEVER', retryable: false, parts: [taken('1'), isRefused, isRefused] },
    ],
    [
      'one unknown, one refused for good',
      [accepted('1'), unknown, never],
      { code: 'NEVER', retryable: false, parts: [taken('1'), { state: 'unknown' }, isRefused] },
    ],
  ];
  test.each(cases)('%s', async (_, said, outcome) => {
    let next = 0;
    expect(await send(async () => said[next++] ?? unknown)).toMatchObject(outcome);
    expect(next).toBe(parts.length);
  });

  test('is tried again only where it was refused for now', async () => {
    const tried: string[] = [];
    const said = await send(async ({ content }) => {
      const text = content.toString();
      tried.push(text);
      return text === 'second' && tried.length <= 4 ? later : accepted(text);
    });
    expect(said).toMatchObject({
      outcome: 'accepted',
      parts: ['first', 'second', 'third'].map(taken),
    });
    expect(tried).toEqual(['first', 'second', 'third', 'second', 'second']);
  });

  test('each handing over is noted before, and each answer after', async () => {
    const noted: PartNote[] = [];
    await send(async ({ content }, { handed }) => {
      const text = content.toString();
      return handed() && text === 'second' ? never : accepted(text);
    }, noted);
    const of = (number: number) => noted.filter((note) => note.number === number).map(({ part }) => part);
    expect(of(1)).toEqual([{ state: 'waiting' }, { state: 'unknown' }, taken('first')]);
    expect(of(2)).toEqual([{ state: 'unknown' }, { state: 'refused', code: 'NEVER', reason: 'NEVER.' }]);
    expect(noted.every(({ total }) => total === 3)).toBe(true);
  });
});
