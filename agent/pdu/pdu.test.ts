import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { segmentation } from '../../contract/traffic/segments.ts';
import { readSubmit, writeDelivers, writeReport } from '../../test/emulators/modem/modem-pdu.ts';
import { readPdu } from './read-pdu.ts';
import { encodeSubmit } from './submit.ts';

const submit = (text: string, rest = {}) =>
  encodeSubmit({
    recipient: '+85261112222',
    text,
    validityMinutes: 1_440,
    receipt: true,
    reference: 7,
    ...rest,
  });
/** Of the service centre's side, put together. */
const received = (text: string): string =>
  submit(text)
    .map(({ hex, length }) => readSubmit(hex, length).text)
    .join('');

describe('what is sent', () => {
  test('is the PDU that 3GPP TS 23.040 asks for', () => {
    // The text of the classic example, «hellohello» to 46708251358, with a validity of a day and a report.
    expect(submit('hellohello', { recipient: '+46708251358' })).toEqual([
      { hex: '0031000B916407281553F80000A70AE8329BFD4697D9EC37', length: 23 },
    ]);
  });

  test('any text arrives unchanged, in as many parts as are priced', () => {
    const anything = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 400 })
      .filter((text) => !/[\ud800-\udfff]/.test(text.replace(/[\ud800-\udbff][\udc00-\udfff]/g, '')));
    const gsm = fc.string({
      unit: fc.constantFrom(...'abc €{}[]~^|\\ñÑΔ@£$ \n'),
      minLength: 1,
      maxLength: 700,
    });
    const isRight = (text: string): boolean =>
      received(text) === text && submit(text).length === segmentation(text).segments;
    fc.assert(fc.property(fc.oneof(anything, gsm), isRight), { numRuns: 40 });
  }, 120_000);

  test('parts say which they are', () => {
    const parts = submit('x'.repeat(400)).map(({ hex, length }) => readSubmit(hex, length));
    expect(parts.map(({ concat }) => concat)).toEqual(
      [1, 2, 3].map((number) => ({ reference: 7, total: 3, number })),
    );
    expect(parts.every(({ receipt, to }) => receipt && to === '+85261112222')).toBe(true);
  });

  test.each([
    [5, 0],
    [720, 143],
    [1_440, 167],
    [10_080, 173],
    [100_000, 202],
  ])('%d minutes of validity are the octet %d', (validityMinutes, octet) => {
    const [pdu] = submit('a', { validityMinutes });
    const at = '00 31 00 0B 91 5862112122F2 00 00'.replaceAll(' ', '').length;
    expect(Number.parseInt(pdu?.hex.slice(at, at + 2) ?? '', 16)).toBe(octet);
  });
});

describe('what is read', () => {
  test.each([
    ['a number', '+85261113333', 'Yes {please} €'],
    ['a short number', '10086', '你好'],
    ['a name', 'HSBC', 'Your balance is low.'],
    ['a long text', '+85261113333', `${'0123456789'.repeat(30)}€`],
    ['a long text in another script', '+85261113333', '很長的訊息😀'.repeat(30)],
  ])('a message from %s', (_, from, text) => {
    const at = new Date('2026-11-16T12:34:56Z');
    const parts = writeDelivers({ from, text, at, reference: 9 }).map(readPdu);
    expect(parts.map((part) => (part?.kind === 'deliver' ? part.text : '')).join('')).toBe(text);
    expect(parts[0]).toMatchObject({ kind: 'deliver', from, at });
    if (parts.length > 1)
      expect(parts[1]).toMatchObject({ concatenation: { reference: 9, total: parts.length, number: 2 } });
  });

  test('the time is that of its zone', () => {
    // Eight hours ahead of UTC: 32 quarters.
    const hex = writeDelivers({
      from: '+85261113333',
      text: 'a',
      at: new Date('2026-11-16T12:34:56Z'),
      reference: 0,
    })[0];
    const pdu = readPdu((hex ?? '').replace('62116121436500', '62116121436523'));
    expect(pdu).toMatchObject({ at: new Date('2026-11-16T04:34:56Z') });
  });

  test.each([
    [0x00, 'delivered'],
    [0x02, 'delivered'],
    [0x20, 'enroute'],
    [0x30, 'enroute'],
    [0x41, 'failed'],
    [0x60, 'failed'],
  ])('a report with the status %d says %s', (status, state) => {
    const hex = writeReport({
      reference: 200,
      to: '+85261112222',
      at: new Date('2026-11-16T12:00:00Z'),
      status,
    });
    expect(readPdu(hex)).toMatchObject({
      kind: 'report',
      reference: 200,
      recipient: '+85261112222',
      state,
      status,
    });
  });

  test('what is damaged throws, and never loops', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (octets) => {
        try {
          readPdu(Buffer.from(octets).toString('hex'));
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
      }),
    );
    expect(() => readPdu('xyz')).toThrow('hexadecimal');
  });
});
