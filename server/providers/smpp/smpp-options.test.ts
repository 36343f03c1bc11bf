import { describe, expect, test } from 'vitest';
import { COMMON_ADDRESSING } from './address.ts';
import { openSmppPace } from './pace.ts';
import { openPatience } from './session/patience.ts';
import { SMPP_DEFAULTS, smppOptions } from './smpp-options.ts';

describe('a setting for SMPP', () => {
  test('has common values for what it leaves out', () => {
    expect(smppOptions('smpp://user:pass@smsc.example')).toEqual({
      ...SMPP_DEFAULTS,
      host: 'smsc.example',
      port: 2775,
      systemId: 'user',
      password: 'pass',
    });
  });

  test('says everything else in its query', () => {
    const setting =
      'ssmpp://us%40er:p%2Fss@[::1]:3551?binds=4&window=50&enquireLinkMs=1000&timeoutMs=2000&systemType=VMA' +
      '&international=2.8&short=0.1&longMessages=payload&receipts=no&receiptIds=hex&utcOffset=480&verify=no';
    expect(smppOptions(setting)).toEqual({
      ...SMPP_DEFAULTS,
      host: '::1',
      port: 3551,
      tls: { verify: false },
      systemId: 'us@er',
      password: 'p/ss',
      systemType: 'VMA',
      binds: 4,
      window: 50,
      enquireLinkMs: 1000,
      timeoutMs: 2000,
      addressing: { ...COMMON_ADDRESSING, international: { ton: 2, npi: 8 }, short: { ton: 0, npi: 1 } },
      longMessages: 'payload',
      receipts: false,
      receiptIds: 'hex',
      utcOffsetMinutes: 480,
    });
  });

  test('has receipts that nothing marks only where it says so', () => {
    const receiptsOf = (query: string) => smppOptions(`smpp://u:p@h${query}`);
    expect(receiptsOf('')).toMatchObject({ receipts: true, unmarkedReceipts: false });
    expect(receiptsOf('?receipts=yes')).toMatchObject({ receipts: true, unmarkedReceipts: false });
    expect(receiptsOf('?receipts=unmarked')).toMatchObject({ receipts: true, unmarkedReceipts: true });
  });

  test('is over TLS with a certificate that is checked, unless told otherwise', () => {
    expect(smppOptions('ssmpp://u:p@h')).toMatchObject({ tls: { verify: true }, port: 3550 });
  });

  test.each([
    ['nothing', 'it is not an address'],
    ['http://u:hush@h', 'it must begin with smpp:// or ssmpp://'],
    ['smpp://h', 'the user must have 1 to 15 plain characters'],
    ['smpp://averylongusername:hush@h', 'the user must have 1 to 15 plain characters'],
    ['smpp://u:hush@h?binds=0', 'binds must be a number from 1 to 50'],
    ['smpp://u:hush@h?window=many', 'window must be a number from 1 to 10000'],
    ['smpp://u:hush@h?longMessages=both', 'longMessages must be one of udh, payload'],
    ['smpp://u:hush@h?receipts=any', 'receipts must be one of yes, no, unmarked'],
    ['smpp://u:hush@h?short=9.9', 'short must be two numbers such as 1.1: the type and the numbering plan'],
    ['smpp://u:hush@h?bind=2', 'bind is not known'],
  ])('%s is refused with its reason and without the password', (setting, reason) => {
    expect(() => smppOptions(setting)).toThrow(`Not a setting for SMPP: ${reason}.`);
    expect(() => smppOptions(setting)).not.toThrow('hush');
  });
});

describe('the pace', () => {
  const round = (
    pace: ReturnType<typeof openSmppPace>,
    refused: (at: number) => boolean,
  ): (number | undefined)[] =>
    Array.from({ length: pace.room(0) }, (_, at) =>
      pace.answered(refused(at) ? 'slow down' : 'taken'),
    ).filter((pauseMs) => pauseMs !== undefined);

  test('is halved by a window that was refused as a whole, pauses longer each time, and grows back', () => {
    let now = 1_000;
    const pace = openSmppPace(100, () => now);
    expect(pace.room(30)).toBe(70);
    expect(round(pace, () => true)).toEqual([50]);
    expect(pace.room(0)).toBe(0);
    now += 51;
    expect(pace.room(0)).toBe(50);
    expect(round(pace, () => true)).toEqual([100]);
    now += 101;
    expect(pace.room(0)).toBe(25);
    for (let taken = 0; taken < 10_000; taken++) pace.answered('taken');
    expect(pace.room(0)).toBe(100);
    expect(round(pace, () => true)).toEqual([50]);
  });

  test('one refusal in ten narrows the window a little and never pauses', () => {
    const pace = openSmppPace(50);
    for (let rounds = 0; rounds < 200; rounds++) expect(round(pace, (at) => at % 10 === 9)).toEqual([]);
    expect(pace.room(0)).toBeGreaterThan(10);
    expect(pace.room(0)).toBeLessThan(50);
  });

  test('never stops altogether', () => {
    let now = 1_000;
    const pace = openSmppPace(10, () => now);
    for (let burst = 0; burst < 20; burst++) {
      round(pace, () => true);
      now += 2_001;
    }
    expect(pace.room(0)).toBe(1);
  });
});

describe('the patience', () => {
  test('follows what answers take, and doubles while none comes', () => {
    const patience = openPatience(30_000);
    expect(patience.ms()).toBe(1_000);
    for (let at = 0; at < 100; at++) patience.answered(20);
    expect(patience.ms()).toBe(100);
    expect(patience.isAnswering()).toBe(true);
    expect(patience.isAnswering()).toBe(false);
    patience.gaveUp();
    patience.gaveUp();
    expect(patience.ms()).toBe(400);
    for (let times = 0; times < 20; times++) patience.gaveUp();
    expect(patience.ms()).toBe(30_000);
    for (let at = 0; at < 100; at++) patience.answered(2_000);
    expect(patience.ms()).toBeGreaterThan(2_000);
    expect(patience.ms()).toBeLessThan(2_500);
  });
});
