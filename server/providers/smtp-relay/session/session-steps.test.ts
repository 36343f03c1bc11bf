import { describe, expect, test } from 'vitest';
import { nextAttempt } from '../next-attempt.ts';
import { afterSilence, lookEveryMs } from './after-silence.ts';
import { type Features, type GreetingAsked, NO_FEATURES, nextGreeting } from './greeting.ts';
import { nextOfEnvelope, outcomeOf, refusalBefore } from './transaction-steps.ts';

const reply = (code: number, ...lines: string[]) => ({ code, lines });
const TIMES = { timeoutMs: 800, connectMs: 400, idleMs: 240 };

describe('what follows an answer of the greeting', () => {
  const LOGIN = { starttls: 'never', user: 'u', password: 'p' } as const;
  const OPEN = { starttls: 'offered', user: undefined, password: '' } as const;
  const TLS = { ...OPEN, starttls: 'required' } as const;
  const ask = (text: string, asked: GreetingAsked) => ({ next: 'ask', text, asked });
  const fail = (reason: string) => ({ next: 'fail', reason });
  const PLAIN = { auth: ['LOGIN', 'PLAIN'] };

  test.each<
    [GreetingAsked, number, { options?: object; secured?: boolean; features?: Partial<Features> }, object]
  >([
    ['banner', 220, {}, ask('EHLO us', 'EHLO')],
    ['banner', 554, {}, fail('the mail server greets with 554 The mail server answered 554.')],
    ['EHLO', 250, {}, { next: 'ready' }],
    ['EHLO', 421, {}, fail('the mail server greets with 421 The mail server answered 421.')],
    ['EHLO', 502, {}, ask('HELO us', 'HELO')],
    ['HELO', 250, {}, { next: 'ready' }],
    ['HELO', 550, {}, fail('the mail server greets with 550 The mail server answered 550.')],
    ['EHLO', 250, { features: { starttls: true } }, ask('STARTTLS', 'STARTTLS')],
    ['EHLO', 250, { features: { starttls: true }, secured: true }, { next: 'ready' }],
    ['EHLO', 250, { options: TLS }, fail('the mail server offers no TLS')],
    ['EHLO', 250, { options: TLS, secured: true }, { next: 'ready' }],
    [
      'EHLO',
      250,
      { options: LOGIN, features: { starttls: true, ...PLAIN } },
      ask('AUTH PLAIN AHUAcA==', 'login'),
    ],
    ['HELO', 250, { options: LOGIN }, fail('the mail server offers no login that we know')],
    ['EHLO', 250, { options: LOGIN, features: { auth: ['LOGIN'] } }, ask('AUTH LOGIN', 'AUTH LOGIN')],
    ['STARTTLS', 220, {}, { next: 'secure' }],
    ['STARTTLS', 454, {}, fail('STARTTLS was answered with 454 The mail server answered 454.')],
    ['AUTH LOGIN', 334, { options: LOGIN }, ask('dQ==', 'user')],
    ['user', 334, { options: LOGIN }, ask('cA==', 'login')],
    ['user', 535, { options: LOGIN }, fail('the login was refused with 535 The mail server answered 535.')],
    ['login', 235, { options: LOGIN }, { next: 'ready' }],
    ['login', 250, { options: LOGIN }, fail('the login was refused with 250 The mail server answered 250.')],
  ])('%s answered by %d, %j: %j', (asked, code, { options, secured, features }, next) => {
    const greeting = {
      name: 'us',
      options: { ...OPEN, ...options },
      secured: secured ?? false,
      features: { ...NO_FEATURES, ...features },
    };
    expect(nextGreeting(asked, reply(code), greeting)).toEqual(next);
  });
});

describe('what follows an answer to an envelope', () => {
  const PIPED = { pipelining: true, refusal: undefined };
  const SINGLY = { pipelining: false, refusal: undefined };
  const before = { outcome: 'refused', code: '5.1.1', reason: 'no', retryable: false } as const;
  const refused = (code: number, retryable = false) => ({
    outcome: 'refused',
    code: `SMTP_${code}`,
    reason: `The mail server answered ${code}.`,
    retryable,
  });

  test.each([
    ['MAIL', 250, PIPED, { next: 'wait', refusal: undefined }],
    ['MAIL', 250, SINGLY, { next: 'ask', command: 'RCPT' }],
    ['RCPT', 251, SINGLY, { next: 'ask', command: 'DATA' }],
    ['MAIL', 354, PIPED, { next: 'fail', reason: 'the answer to MAIL makes no sense' }],
    ['MAIL', 550, PIPED, { next: 'wait', refusal: refused(550, true) }],
    ['RCPT', 550, PIPED, { next: 'wait', refusal: refused(550) }],
    ['RCPT', 450, PIPED, { next: 'wait', refusal: refused(450, true) }],
    ['RCPT', 503, { ...PIPED, refusal: before }, { next: 'wait', refusal: before }],
    ['RCPT', 250, { ...PIPED, refusal: before }, { next: 'wait', refusal: before }],
    ['RCPT', 550, SINGLY, { next: 'reset', refusal: refused(550) }],
    ['DATA', 354, PIPED, { next: 'content' }],
    ['DATA', 354, SINGLY, { next: 'content' }],
    ['DATA', 354, { ...PIPED, refusal: before }, { next: 'empty content', refusal: before }],
    ['DATA', 554, { ...PIPED, refusal: before }, { next: 'reset', refusal: before }],
    ['DATA', 451, PIPED, { next: 'reset', refusal: refused(451, true) }],
    ['DATA', 250, PIPED, { next: 'fail', reason: 'the answer to DATA makes no sense' }],
  ] as const)('%s answered by %d, %j: %j', (asked, code, known, next) => {
    expect(nextOfEnvelope(asked, reply(code), known)).toEqual(next);
  });
});

test.each([
  [250, 'accepted', undefined],
  [354, 'unknown', 'the answer to the content makes no sense'],
  [450, 'refused', undefined],
  [554, 'refused', undefined],
  [421, 'refused', 'the mail server ended with 421 bye'],
])('content answered by %d is %s, and the fault of the connection is %s', (code, outcome, fault) => {
  const said = outcomeOf(reply(code, 'bye'), 'm@x');
  expect([said.outcome.outcome, said.fault]).toEqual([outcome, fault]);
});

test.each([
  [{ octets: 101, utf8: false }, { size: 100 }, 'TOO_LARGE'],
  [{ octets: 100, utf8: false }, { size: 100 }, undefined],
  [{ octets: 101, utf8: false }, { size: 0 }, undefined],
  [{ octets: 101, utf8: false }, { size: -1 }, undefined],
  [{ octets: 1, utf8: true }, {}, 'ADDRESS_NOT_ASCII'],
  [{ octets: 1, utf8: true }, { utf8: true }, undefined],
])('%j to a server with %j is refused at once with %s', (letter, features, code) => {
  expect(refusalBefore(letter, { ...NO_FEATURES, ...features })?.code).toBe(code);
});

test.each([
  ['greeting', true, 399, true, 'wait'],
  ['greeting', true, 400, true, 'give up'],
  ['greeting', false, 9_999, true, 'wait'],
  ['ready', true, 799, true, 'wait'],
  ['ready', true, 800, true, 'give up'],
  ['ready', false, 239, true, 'wait'],
  ['ready', false, 240, true, 'NOOP'],
  ['ready', false, 240, false, 'QUIT'],
  ['quitting', true, 800, false, 'give up'],
  ['quitting', false, 9_999, false, 'wait'],
] as const)(
  '%s, answer due %s, silent for %d ms, stays %s: %s',
  (mode, isAnswerDue, silentMs, stays, next) => {
    expect(afterSilence({ mode, isAnswerDue, silentMs, stays }, TIMES)).toBe(next);
  },
);

test('silence is looked for eight times within the shortest time, and not without a pause', () => {
  expect(lookEveryMs(TIMES)).toBe(30);
  expect(lookEveryMs({ ...TIMES, idleMs: 8 })).toBe(10);
});

test.each([
  [
    { failures: 0, planned: false, stoodMs: 0 },
    { failures: 1, waitMs: 100 },
  ],
  [
    { failures: 2, planned: false, stoodMs: 0 },
    { failures: 3, waitMs: 400 },
  ],
  [
    { failures: 9, planned: false, stoodMs: 1_000 },
    { failures: 10, waitMs: 1_000 },
  ],
  [
    { failures: 9, planned: false, stoodMs: 1_001 },
    { failures: 1, waitMs: 100 },
  ],
  [
    { failures: 9, planned: true, stoodMs: 0 },
    { failures: 0, waitMs: 0 },
  ],
])('after %j the next attempt is %j', (ended, next) => {
  expect(nextAttempt(ended, { firstMs: 100, maxMs: 1_000 }, 1)).toEqual(next);
  expect(nextAttempt(ended, { firstMs: 100, maxMs: 1_000 }, 0).waitMs).toBe(next.waitMs / 2);
});
