import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ESM, TLV } from './codec/commands.ts';
import type { SmppMessage } from './codec/message-reader.ts';
import { messageIds, type ReceiptIds } from './message-ids.ts';
import { readReceipt as readAny } from './read-receipt.ts';
import { receiptTime } from './receipt-time.ts';

const message = (text: string, rest: Partial<SmppMessage> = {}): SmppMessage => ({
  serviceType: '',
  source: { ton: 1, npi: 1, digits: '85261230000' },
  destination: { ton: 1, npi: 1, digits: '85230001000' },
  esmClass: ESM.receipt,
  protocolId: 0,
  priority: 0,
  scheduledFor: '',
  validUntil: '',
  registeredDelivery: 0,
  replaceIfPresent: 0,
  dataCoding: 0,
  defaultMessage: 0,
  content: Buffer.from(text, 'latin1'),
  tlvs: new Map(),
  brokenEnd: false,
  ...rest,
});

const readReceipt = (received: SmppMessage, unmarkedReceipts = false) =>
  readAny(received, { unmarkedReceipts });

describe('a receipt', () => {
  const forms: [text: string, read: object][] = [
    [
      'id:0123456789 sub:001 dlvrd:001 submit date:2611150332 done date:2611150333 stat:DELIVRD err:000 text:Hello',
      { messageId: '0123456789', state: 'delivered', code: 'DELIVRD', doneDate: '2611150333' },
    ],
    [
      'ID:ab-12 SUB:1 DLVRD:0 SUBMIT DATE:261115033201 DONE DATE:261115033302 STAT:UNDELIV ERR:034 TEXT:',
      { messageId: 'ab-12', state: 'failed', code: 'UNDELIV:034', doneDate: '261115033302' },
    ],
    ['id:1 stat:EXPIRED', { messageId: '1', state: 'failed', code: 'EXPIRED', doneDate: undefined }],
    ['id:1 stat:REJECTD err:99', { state: 'failed', code: 'REJECTD:99' }],
    ['id:1 stat:DELETED err:0', { state: 'failed', code: 'DELETED' }],
    ['id:1 stat:ACCEPTD', { state: 'enroute', code: 'ACCEPTD' }],
    ['id:1 stat:ENROUTE', { state: 'enroute', code: 'ENROUTE' }],
    ['id:1 stat:UNKNOWN', { state: 'enroute', code: 'UNKNOWN' }],
    ['id:1 stat:SOMETHING', { state: 'enroute', code: 'SOMETHING' }],
    ['id:1 stat:Delivered', { state: 'delivered', code: 'DELIVERED' }],
    ['id: 77  sub: 001 stat: DELIVRD err: 000', { messageId: '77', state: 'delivered' }],
    ['sub:001 id:77 err:000 stat:DELIVRD', { messageId: '77', state: 'delivered' }],
    ['id:1 stat:DELIVRD err:000 text:id:2 stat:UNDELIV err:001', { messageId: '1', state: 'delivered' }],
    ['id:1\nstat:DELIVRD\nerr:000', { messageId: '1', state: 'delivered' }],
    [
      'id:6f1c2d0e-1b2c-4d3e-8f4a-5b6c7d8e9f00 stat:DELIVRD',
      { messageId: '6f1c2d0e-1b2c-4d3e-8f4a-5b6c7d8e9f00' },
    ],
    ['no fields at all', { messageId: '', state: 'enroute', code: 'UNKNOWN' }],
  ];
  test.each(forms)('%s', (text, read) => {
    expect(readReceipt(message(text))).toMatchObject(read);
  });

  test.each([
    [2, 'delivered', 'DELIVRD'],
    [3, 'failed', 'EXPIRED'],
    [5, 'failed', 'UNDELIV'],
    [8, 'failed', 'REJECTD'],
    [1, 'enroute', 'ENROUTE'],
    [200, 'enroute', 'UNKNOWN'],
  ])('of optional parameters only, with state %i', (octet, state, code) => {
    const tlvs = new Map([
      [TLV.receiptedMessageId, Buffer.from('abc\0')],
      [TLV.messageState, Buffer.from([octet])],
    ]);
    expect(readReceipt(message('', { tlvs, esmClass: 0 }))).toMatchObject({ messageId: 'abc', state, code });
  });

  test('the id of the optional parameter goes before that of the text', () => {
    const tlvs = new Map([[TLV.receiptedMessageId, Buffer.from('FF')]]);
    expect(readReceipt(message('id:255 stat:DELIVRD', { tlvs }))).toMatchObject({ messageId: 'FF' });
  });

  test('that is not marked as one is known by its text, where there are such', () => {
    const unmarked = (text: string) => readReceipt(message(text, { esmClass: 0 }), true);
    expect(unmarked('id:5 sub:001 stat:DELIVRD')).toMatchObject({ messageId: '5' });
    expect(unmarked('my id: 5, thanks')).toBeUndefined();
    expect(unmarked('STOP')).toBeUndefined();
  });

  test('that is not marked as one is otherwise what somebody wrote', () => {
    const text = 'id:5 sub:001 dlvrd:000 stat:UNDELIV err:001';
    expect(readReceipt(message(text, { esmClass: 0 }))).toBeUndefined();
    expect(readReceipt(message(text, { esmClass: 0x40 }))).toBeUndefined();
  });

  test('of any content is read without a fault', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.nat(255), (text, dataCoding) => {
        readReceipt(message(text, { dataCoding }), true);
      }),
    );
  });

  test('has the time at which it came, unless the zone of the far end is known', () => {
    expect(receiptTime('2611150333', 480)).toEqual(new Date('2026-11-14T19:33:00Z'));
    expect(receiptTime('261115033344', 0)).toEqual(new Date('2026-11-15T03:33:44Z'));
    expect(receiptTime('20261115033344', -60)).toEqual(new Date('2026-11-15T04:33:44Z'));
    for (const [doneDate, offset] of [
      ['2611150333', undefined],
      [undefined, 0],
      ['9', 0],
    ] as const)
      expect(Math.abs(receiptTime(doneDate, offset).getTime() - Date.now())).toBeLessThan(5_000);
  });
});

describe('the ids of answers and receipts', () => {
  const cases: [form: ReceiptIds, answered: string, receipted: string][] = [
    ['same', 'aB-1', 'aB-1'],
    ['auto', '12345678', '12345678'],
    ['auto', 'ABCDEF01', 'abcdef01'],
    ['auto', '00ABCDEF', '11259375'],
    ['auto', 'abcdef', '0011259375'],
    ['auto', '11259375', 'ABCDEF'],
    ['auto', '0000012345', '12345'],
    ['auto', '6f1c2d0e-1b2c-4d3e', '6f1c2d0e-1b2c-4d3e'],
    ['decimal', '00ABCDEF', '11259375'],
    ['hex', '11259375', '00ABCDEF'],
    ['decimal', 'ffffffffffffffff', '18446744073709551615'],
    ['hex', 'not-a-number', 'not-a-number'],
  ];
  test.each(cases)('%s: %s is answered, %s receipted', (form, answered, receipted) => {
    const ids = messageIds(form);
    const kept = ids.answered(answered);
    expect(ids.receipted(receipted)).toBe(kept);
  });

  test('once the form is known, it holds for ids that are not remembered', () => {
    const ids = messageIds('auto');
    ids.answered('000F4240');
    ids.receipted('1000000');
    expect(ids.receipted('1000010')).toBe('000F424A');
  });

  test('an id that was never answered stays as it is', () => {
    const ids = messageIds('auto');
    ids.answered('777');
    expect(ids.receipted('778')).toBe('778');
  });
});
