import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { phraseText } from '../../ground/translations/index.ts';
import { inputFault } from './input-fault.ts';
import { type InputIssue, inputPhrase } from './input-phrase.ts';

const refusalOf = (schema: z.ZodType, given: unknown): InputIssue => {
  const [issue] = schema.safeParse(given).error?.issues ?? [];
  if (!issue) throw new Error('it is accepted');
  return issue as InputIssue;
};
const bothOf = (schema: z.ZodType, given: unknown) => {
  const phrase = inputPhrase(refusalOf(schema, given));
  return [phraseText('en_US', phrase), phraseText('zh_HK', phrase)];
};

it.each([
  [z.strictObject({ a: z.string() }), { a: 1 }, 'a: It must be a text.', 'a：必須是文字。'],
  [z.strictObject({ a: z.int() }), { a: 1.5 }, 'a: It must be a whole number.', 'a：必須是整數。'],
  [
    z.strictObject({ a: z.boolean() }),
    { a: 'x' },
    'a: It must be true or false.',
    'a：必須是 true 或 false。',
  ],
  [z.strictObject({ a: z.array(z.string()) }), { a: [1] }, 'a.0: It must be a text.', 'a.0：必須是文字。'],
  [z.strictObject({ a: z.array(z.int()).max(1) }), { a: [1, 2] }, 'a: At most 1 of them.', 'a：最多 1 項。'],
  [z.strictObject({ a: z.string().max(3) }), { a: 'long' }, 'a: At most 3 characters.', 'a：最多 3 個字元。'],
  [z.strictObject({ a: z.string().min(1) }), { a: '' }, 'a: It must not be empty.', 'a：不可留空。'],
  [z.strictObject({ a: z.number().max(9) }), { a: 10 }, 'a: At most 9.', 'a：不可大於 9。'],
  [z.strictObject({ a: z.number().positive() }), { a: 0 }, 'a: More than 0.', 'a：必須大於 0。'],
  [
    z.strictObject({ a: z.number().multipleOf(5) }),
    { a: 3 },
    'a: It must be a multiple of 5.',
    'a：必須是 5 的倍數。',
  ],
  [
    z.strictObject({ a: z.enum(['x', 'y']) }),
    { a: 'z' },
    'a: It must be one of: x, y.',
    'a：必須是以下其中一項：x, y。',
  ],
  [z.strictObject({ a: z.uuid() }), { a: 'z' }, 'a: It must be an ID (UUID).', 'a：必須是編號（UUID）。'],
  [
    z.strictObject({ a: z.iso.date() }),
    { a: 'z' },
    'a: It must be a day such as 2026-12-24.',
    'a：必須是日期，例如 2026-12-24。',
  ],
  [
    z.strictObject({ a: z.string().regex(/^x$/) }),
    { a: 'z' },
    'a: It must have the form /^x$/.',
    'a：必須符合格式 /^x$/。',
  ],
  [z.strictObject({}), { b: 1, c: 2 }, 'There is no such field: b, c.', '沒有以下欄位：b, c。'],
  [
    z.union([z.string(), z.int()]),
    true,
    'It is of none of the kinds that are accepted here.',
    '不屬於此處接受的任何一種格式。',
  ],
])('%#: what is wrong with an input is said in both languages', (schema, given, english, chinese) => {
  expect(bothOf(schema, given)).toEqual([english, chinese]);
});

it('what is missing, and what bears an error code, keep their codes', () => {
  expect(inputFault(refusalOf(z.strictObject({ a: z.string() }), {})).code).toBe('E_FIELD_MISSING');
  const schema = z.strictObject({ a: z.string().max(1, 'E_TEXT_TOO_LONG') });
  expect(inputFault(refusalOf(schema, { a: 'xx' })).code).toBe('E_TEXT_TOO_LONG');
});

it('names that a caller chose are repeated only so far', () => {
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`${at}${'x'.repeat(500)}`, 1]));
  for (const said of bothOf(z.strictObject({}), many)) expect(said.length).toBeLessThan(1_500);
});

it('each rule of the contract that has words of its own has them in Chinese too', () => {
  const sources = globSync('contract/**/*.ts').map((file) => readFileSync(file, 'utf8'));
  const words = sources.flatMap((source) =>
    [...source.matchAll(/(?:\berror: |\/u?, )'([^'\n]+)'/g)].map(([, said]) => said ?? ''),
  );
  const own = words.filter((said) => !said.startsWith('E_'));
  expect(own.length).toBeGreaterThan(5);
  for (const message of own)
    expect(phraseText('zh_HK', inputPhrase({ code: 'custom', path: [], message })), message).toMatch(
      /必須|只可|不可/,
    );
});
