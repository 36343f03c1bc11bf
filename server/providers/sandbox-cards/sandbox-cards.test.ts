import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { SANDBOX_CARDS, type SandboxCardKind } from '../../../contract/customer/sandbox-cards.ts';
import {
  type CardBehaviour,
  cardProcessorSuite,
  newAccount,
  newCharge,
} from '../../../test/suites/card-processor-suite.ts';
import type { ConfirmedCard, SandboxForm } from '../../customer/wallet/card-processor.ts';
import { sandboxCards } from './index.ts';

const SETTLE_MS = 20_000;
const key = randomBytes(32);

const numberOf = (kind: SandboxCardKind): string =>
  SANDBOX_CARDS.find((card) => card.kind === kind)?.number ?? '';

const open = ({ at = new Date('2026-11-15T03:00:00Z'), by = key }: { at?: Date; by?: Buffer } = {}) => {
  let now = at;
  const processor = sandboxCards({ key: by, cards: SANDBOX_CARDS, settleMs: SETTLE_MS, now: () => now });
  const form = processor.sandboxForm as SandboxForm;
  return {
    processor,
    form,
    setTime: (later: Date) => {
      now = later;
    },
    type: (clientSecret: string, typed: Partial<Parameters<SandboxForm['confirm']>[0]> = {}) =>
      form.confirm({
        clientSecret,
        number: numberOf('success-visa'),
        expMonth: 12,
        expYear: at.getUTCFullYear() + 4,
        cvc: '123',
        ...typed,
      }),
  };
};

const addCard = async (sandbox: ReturnType<typeof open>, kind: SandboxCardKind): Promise<ConfirmedCard> => {
  const { clientSecret, customerRef } = await sandbox.processor.beginCard(newAccount());
  const result = sandbox.type(clientSecret, { number: numberOf(kind) });
  const card =
    result.outcome === 'confirmed'
      ? await sandbox.processor.confirmCard(result.auth, customerRef)
      : undefined;
  if (!card) throw new Error(`${kind} was not added`);
  return card;
};

const BEHAVIOURS: Record<CardBehaviour, SandboxCardKind> = {
  good: 'success-visa',
  declines: 'declined',
  authenticates: 'authentication',
  'settles-slowly': 'slow-success',
};

cardProcessorSuite('the sandbox', async () => {
  const sandbox = open({ at: new Date() });
  return {
    processor: sandbox.processor,
    typeCard: async (clientSecret, behaviour) => {
      const result = sandbox.type(clientSecret, { number: numberOf(BEHAVIOURS[behaviour]) });
      return result.outcome === 'confirmed' ? result.auth : result.fault;
    },
    answerHolder: async ({ clientSecret }, approve) => {
      const answer = sandbox.form.authenticate({ clientSecret, approve });
      return answer?.charge.state === 'unknown' ? '' : (answer?.charge.chargeRef ?? '');
    },
    passTime: async () => sandbox.setTime(new Date(Date.now() + SETTLE_MS)),
    close: async () => {},
  };
});

describe('the sandbox form', () => {
  const refusals: [what: string, typed: Parameters<ReturnType<typeof open>['type']>[1], fault: string][] = [
    ['a number with a wrong digit', { number: '4242424242424241' }, 'number'],
    ['a number that is too short', { number: '4242' }, 'number'],
    ['words', { number: 'my card' }, 'number'],
    ['a number that could be a real card', { number: '4539 5787 6362 1486' }, 'not-a-test-number'],
    ['a month that is over', { expMonth: 10, expYear: 2026 }, 'expiry'],
    ['a month that does not exist', { expMonth: 13, expYear: 2030 }, 'expiry'],
    ['a year far away', { expMonth: 1, expYear: 2077 }, 'expiry'],
    ['a code that is too short', { cvc: '12' }, 'cvc'],
    ['a code of letters', { cvc: 'abc' }, 'cvc'],
    ['a secret that nobody gave', { clientSecret: 'form.made.up.0.AAAAAAAAAAAAAAAAAAAAAA' }, 'secret'],
  ];
  test.each(refusals)('refuses %s', async (_, typed, fault) => {
    const { processor, type } = open();
    const { clientSecret } = await processor.beginCard(newAccount());
    expect(type(clientSecret, typed)).toEqual({ outcome: 'refused', fault });
  });

  test('takes a number with spaces, and a card in its last month', async () => {
    const { processor, type } = open();
    const { clientSecret } = await processor.beginCard(newAccount());
    expect(type(clientSecret, { number: '4242 4242 4242 4242', expMonth: 11, expYear: 2026 }).outcome).toBe(
      'confirmed',
    );
  });

  test('expires after a day', async () => {
    const { processor, type, setTime } = open();
    const { clientSecret } = await processor.beginCard(newAccount());
    setTime(new Date('2026-11-16T03:00:01Z'));
    expect(type(clientSecret)).toEqual({ outcome: 'refused', fault: 'secret' });
  });

  test('gives secrets and results that fit the calls', async () => {
    const { processor, type, form } = open();
    const { clientSecret, customerRef } = await processor.beginCard(newAccount());
    const result = type(clientSecret, { number: numberOf('authentication') });
    const auth = result.outcome === 'confirmed' ? result.auth : '';
    const card = await processor.confirmCard(auth, customerRef);
    const charge = card && (await processor.charge(newCharge(card)));
    expect(clientSecret.length).toBeLessThanOrEqual(200);
    expect(auth.length).toBeLessThanOrEqual(500);
    expect(charge?.state === 'authenticate' && charge.clientSecret.length).toBeLessThanOrEqual(200);
    expect(form.authenticate({ clientSecret: auth, approve: true })).toBeUndefined();
  });

  test('knows no number and no kind twice', () => {
    expect(new Set(SANDBOX_CARDS.map(({ number }) => number)).size).toBe(SANDBOX_CARDS.length);
    expect(new Set(SANDBOX_CARDS.map(({ kind }) => kind)).size).toBe(SANDBOX_CARDS.length);
  });
});

describe('the test cards', () => {
  const courses: [SandboxCardKind, onSession: boolean, object][] = [
    ['success-visa', true, { state: 'succeeded' }],
    ['success-mastercard', false, { state: 'succeeded' }],
    [
      'declined',
      true,
      { state: 'failed', code: 'declined', reason: 'Your card was declined.', cardGone: false },
    ],
    [
      'insufficient-funds',
      true,
      {
        state: 'failed',
        code: 'insufficient-funds',
        reason: 'Your card has insufficient funds.',
        cardGone: false,
      },
    ],
    [
      'lost-card',
      true,
      { state: 'failed', code: 'lost-card', reason: 'Your card was reported lost.', cardGone: true },
    ],
    [
      'expired-card',
      false,
      { state: 'failed', code: 'expired-card', reason: 'Your card has expired.', cardGone: true },
    ],
    ['authentication', true, { state: 'authenticate' }],
    ['authentication', false, { state: 'failed', cardGone: false }],
    ['slow-success', true, { state: 'pending' }],
    ['slow-failure', false, { state: 'pending' }],
    ['expires-soon', true, { state: 'succeeded' }],
  ];
  test.each(courses)('%s (on session: %s) is %o', async (kind, onSession, expected) => {
    const sandbox = open();
    const charge = await sandbox.processor.charge(newCharge(await addCard(sandbox, kind), { onSession }));
    expect(charge).toMatchObject(expected);
  });

  test.each([
    ['slow-success', 'succeeded'],
    ['slow-failure', 'failed'],
  ] as const)('%s is pending to the last moment and then %s', async (kind, end) => {
    const sandbox = open();
    const request = newCharge(await addCard(sandbox, kind));
    const charge = await sandbox.processor.charge(request);
    const createdAt = new Date('2026-11-15T03:00:00Z');
    const ask = () =>
      sandbox.processor.findCharge({
        ...request,
        chargeRef: charge.state === 'pending' ? charge.chargeRef : undefined,
        createdAt,
      });
    sandbox.setTime(new Date(createdAt.getTime() + SETTLE_MS - 1));
    expect((await ask())?.state).toBe('pending');
    sandbox.setTime(new Date(createdAt.getTime() + SETTLE_MS));
    expect((await ask())?.state).toBe(end);
  });

  test('expires-soon holds to the end of the month in which it was added', async () => {
    const sandbox = open();
    const card = await addCard(sandbox, 'expires-soon');
    expect(card).toMatchObject({ expMonth: 11, expYear: 2026 });
    sandbox.setTime(new Date('2026-11-30T23:59:59Z'));
    expect((await sandbox.processor.charge(newCharge(card))).state).toBe('succeeded');
    sandbox.setTime(new Date('2026-12-01T00:00:00Z'));
    expect(await sandbox.processor.charge(newCharge(card))).toMatchObject({
      state: 'failed',
      reason: 'Your card has expired.',
      cardGone: true,
    });
  });
});

describe('without a memory', () => {
  test('a restart changes nothing: another process with the same key knows cards and charges', async () => {
    const [before, after] = [open(), open()];
    const card = await addCard(before, 'authentication');
    const request = newCharge(card);
    const charge = await before.processor.charge(request);
    expect(await after.processor.charge(request)).toEqual(charge);
    if (charge.state !== 'authenticate') throw new Error(`it is ${charge.state}`);
    const answer = after.form.authenticate({ clientSecret: charge.clientSecret, approve: true });
    expect(answer).toEqual({
      paymentId: request.paymentId,
      charge: { state: 'succeeded', chargeRef: expect.any(String) },
    });
  });

  test('what another key signed is unknown', async () => {
    const [mine, other] = [open(), open({ by: randomBytes(32) })];
    const card = await addCard(mine, 'success-visa');
    const request = newCharge(card);
    const charge = await mine.processor.charge(request);
    expect(await other.processor.charge(request)).toMatchObject({ state: 'failed', cardGone: true });
    expect(
      await other.processor.findCharge({
        ...request,
        chargeRef: charge.state === 'succeeded' ? charge.chargeRef : undefined,
        createdAt: new Date(),
      }),
    ).toBeUndefined();
  });

  test('nobody turns a declined card into a good one, nor a refusal into an approval', async () => {
    const sandbox = open();
    const card = await addCard(sandbox, 'declined');
    const forged = { ...card, methodRef: card.methodRef.replace('declined', 'success-visa') };
    expect(await sandbox.processor.charge(newCharge(forged))).toMatchObject({
      state: 'failed',
      cardGone: true,
    });
    const request = newCharge(card);
    const charge = await sandbox.processor.charge(request);
    const chargeRef =
      charge.state === 'failed' ? charge.chargeRef?.replace('declined', 'success') : undefined;
    expect(
      await sandbox.processor.findCharge({ ...request, chargeRef, createdAt: new Date() }),
    ).toBeUndefined();
  });

  test("a charge's reference is of no use to another payment", async () => {
    const sandbox = open();
    const card = await addCard(sandbox, 'success-visa');
    const charge = await sandbox.processor.charge(newCharge(card));
    const chargeRef = charge.state === 'succeeded' ? charge.chargeRef : '';
    expect(
      await sandbox.processor.findCharge({ ...newCharge(card), chargeRef, createdAt: new Date() }),
    ).toBeUndefined();
    await expect(sandbox.processor.abandonCharge({ ...newCharge(card), chargeRef })).rejects.toThrow(
      'another',
    );
  });

  test('no reference holds a card number', async () => {
    const sandbox = open();
    const card = await addCard(sandbox, 'insufficient-funds');
    const charge = await sandbox.processor.charge(newCharge(card));
    expect(JSON.stringify([card, charge])).not.toContain(numberOf('insufficient-funds').slice(0, 12));
  });
});
