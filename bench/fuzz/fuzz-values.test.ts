import { expect, test } from 'vitest';
import { z } from 'zod';
import { listEndpoints } from '../../test/webhooks/endpoints.ts';
import { openRandom } from './fuzz-random.ts';
import { spoil } from './fuzz-spoil.ts';
import { makerOf } from './fuzz-values.ts';

const unknown = () => undefined;
const SAMPLES = 100;

const endpoints = listEndpoints();
const schemas = endpoints.flatMap(({ name, params, query, headers, body, form }) =>
  Object.entries({ params, query, headers, body, fields: form?.fields }).flatMap(([part, schema]) =>
    schema ? [{ title: `${part} of ${name}`, schema }] : [],
  ),
);

test('every call of the contract has values that its schemas take', () => {
  const refused = schemas.flatMap(({ title, schema }) => {
    const random = openRandom(1);
    const make = makerOf(schema, unknown);
    const faults = Array.from({ length: SAMPLES }, () => schema.safeParse(make(random)).error).filter(
      Boolean,
    );
    return faults.length > 0 ? [`${title}: ${faults.length} of ${SAMPLES}: ${faults[0]?.message}`] : [];
  });
  expect(schemas.length).toBeGreaterThan(80);
  expect(refused).toEqual([]);
});

test('the same seed makes the same values', () => {
  const values = (seed: number) => {
    const random = openRandom(seed);
    return schemas.map(({ schema }) => makerOf(schema, unknown)(random));
  };
  expect(values(7)).toEqual(values(7));
  expect(values(7)).not.toEqual(values(8));
});

test('what exists is used where a field of its name fits', () => {
  const id = '00000000-0000-4000-8000-000000000001';
  const schema = z.strictObject({ messageId: z.uuid(), text: z.string().max(3) });
  const make = makerOf(schema, (field) => (field === 'text' ? 'too long' : id));
  const random = openRandom(1);
  const made = Array.from({ length: SAMPLES }, () => schema.parse(make(random)));
  const share = made.filter(({ messageId }) => messageId === id).length / SAMPLES;
  expect(share).toBeGreaterThan(0.5);
  expect(share).toBeLessThan(1);
});

test('lengths and numbers reach their bounds', () => {
  const schema = z.strictObject({ text: z.string().max(50), count: z.int().min(1).max(200) });
  const make = makerOf(schema, unknown);
  const random = openRandom(1);
  const made = Array.from({ length: 1_000 }, () => schema.parse(make(random)));
  expect(Math.max(...made.map(({ text }) => text.length))).toBe(50);
  expect(Math.min(...made.map(({ count }) => count))).toBe(1);
  expect(Math.max(...made.map(({ count }) => count))).toBe(200);
});

test('a spoiled value differs, and leaves the value it was made of', () => {
  const schema = z.strictObject({ to: z.strictObject({ phone: z.string().max(20) }), count: z.int() });
  const value = { to: { phone: '+85261234567' }, count: 3 };
  const random = openRandom(1);
  const refused = Array.from({ length: SAMPLES }, () => schema.safeParse(spoil(value, random))).filter(
    ({ success }) => !success,
  );
  expect(refused.length).toBeGreaterThan(SAMPLES / 2);
  expect(value).toEqual({ to: { phone: '+85261234567' }, count: 3 });
});
