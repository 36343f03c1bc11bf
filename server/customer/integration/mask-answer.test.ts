import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type CallName, calls } from '../../../contract/calls.ts';
import { anything } from '../../../test/anything.ts';
import { routeTable } from '../../http/route-table.ts';
import { maskAnswer } from './mask-answer.ts';

const masked = (answer: object) => JSON.parse(maskAnswer(JSON.stringify(answer)));

test('a recipient is known again, but not told', () => {
  expect(masked({ _id: 'x', phone: '+85261112222', price: 0.03 })).toEqual({
    _id: 'x',
    phone: '+852***22',
    price: 0.03,
  });
  expect(masked({ phone: 'someone@example.com' })).toEqual({ phone: 's***@example.com' });
  expect(masked({ fromPhone: '12345', email: 'a@b.c' })).toEqual({ fromPhone: '***', email: 'a***@b.c' });
});

test('texts of messages are not kept, at any depth', () => {
  const answer = {
    sample: { phone: '+85261112222', message: 'meet me' },
    refusals: [{ row: 2, message: 'n' }],
  };
  expect(masked(answer)).toEqual({
    sample: { phone: '+852***22', message: '***' },
    refusals: [{ row: 2, message: '***' }],
  });
});

test('a refusal keeps its words, without the number or the address in them', () => {
  const requestId = '12345678-1234-4234-8234-123456789012';
  const message = 'The phone number +852 6111 2222 or "a.b@example.com" is not valid.';
  expect(masked({ code: 'E_PHONE_INVALID', message, requestId })).toEqual({
    code: 'E_PHONE_INVALID',
    message: 'The phone number +852***22 or "a***@example.com" is not valid.',
    requestId,
  });
  expect(masked({ message: 'Cancelled.' })).toEqual({ message: 'Cancelled.' });
});

test('whatever the texts hold, the answer stays JSON and the text does not show', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 4 }), (text) => {
      const hidden = `secret words ${text}`;
      const json = maskAnswer(
        JSON.stringify({ a: text, message: hidden, phone: hidden, list: [{ html: hidden }] }),
      );
      expect(json).not.toContain('secret words');
      expect(JSON.parse(json)).toMatchObject({ a: text, message: '***' });
    }),
  );
});

test('whatever a recipient is made of, and whatever our own words repeat, the answer stays JSON', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({
      unit: fc.constantFrom('"', '\\', '\n', '\u0000', '\u001f', '\ud800', '😀', '1', '-', ' ', '@'),
    }),
  );
  fc.assert(
    fc.property(text, (given) => {
      const message = `${given}@example.com and ${given} are not valid.`;
      expect(masked({ phone: `${given}@example.com` }).phone).toMatch(/^.{0,2}\*\*\*@example\.com$/s);
      expect(masked({ phone: given }).phone).toContain('***');
      expect(masked({ code: 'E_INVALID_REQUEST', message }).message).toContain('not valid');
    }),
  );
});

test('a quote or a backslash at the beginning of an address stays what it is', () => {
  expect(masked({ phone: '"a b"@example.com' })).toEqual({ phone: '"***@example.com' });
  expect(masked({ email: '\\a@example.com' })).toEqual({ email: '\\***@example.com' });
  expect(masked({ to: '😀a@example.com' })).toEqual({ to: '😀***@example.com' });
});

/** The names of all fields that hold texts, at any depth. */
const textFields = (schema: unknown): string[] => {
  if (typeof schema !== 'object' || schema === null) return [];
  const properties = 'properties' in schema ? Object.entries(schema.properties as object) : [];
  return [
    ...properties
      .filter(([, { type, enum: choices }]) => type === 'string' && !choices)
      .map(([name]) => name),
    ...Object.values(schema).flatMap(textFields),
  ];
};

test('no answer has a field for a recipient or a text that would be kept as it is', () => {
  const rooms = routeTable(anything);
  const told = rooms
    .filter((room) => room.guard === 'sender')
    .flatMap(({ routes = {} }) => Object.keys(routes) as CallName[])
    .flatMap((name) =>
      textFields(z.toJSONSchema(calls[name].reply, { io: 'input', unrepresentable: 'any' })),
    );
  const personal = told.filter((name) =>
    /phone|recipient|email|address|^(to|from)$|message|text|subject|html|body/i.test(name),
  );
  expect(personal).toContain('phone');
  for (const name of personal)
    expect(masked({ [name]: '+85261112222 hello', other: 1 })[name]).not.toContain('6111');
});
