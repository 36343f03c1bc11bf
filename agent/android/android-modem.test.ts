import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startAndroidGateway } from '../../test/emulators/android-gateway.ts';
import { listen, modemSuite, newOutgoing, PATIENT } from '../../test/suites/modem-suite.ts';
import { androidModem } from './android-modem.ts';

type FakeGateway = Awaited<ReturnType<typeof startAndroidGateway>>;

const newModem = (gateway: FakeGateway, rest = {}) =>
  androidModem({ ...gateway, answerMs: 3_000, pollMs: 100, since: new Date(0), ...rest });
const takenBy = (gateway: FakeGateway, { recipient, text }: { recipient: string; text: string }) =>
  [...gateway.taken.values()].filter((one) => one.to === recipient && one.text === text);

const makeUnderTest = async () => {
  const gateway = await startAndroidGateway();
  const fates = {
    'refused for good': 'refused',
    'refused for now': 'queue-full',
    'lost answer': 'lost-answer',
  } as const;
  return {
    modem: newModem(gateway),
    taken: (message: { recipient: string; text: string }) => takenBy(gateway, message).length,
    fail: (recipient: string, how: keyof typeof fates) => {
      gateway.fates[recipient] = fates[how];
    },
    report: ([id = '']: string[], _: string, state: 'delivered' | 'failed') =>
      gateway.settle(id, state === 'delivered' ? 'Delivered' : 'Failed'),
    receive: gateway.receive,
    setRegistered: gateway.setUp,
    close: async () => {
      await gateway.stop();
      expect(gateway.faults).toEqual([]);
    },
  };
};

modemSuite('an Android phone', makeUnderTest, { lacking: ['deletes', 'opening'] });

describe('an Android phone', () => {
  let gateway: FakeGateway;
  beforeAll(async () => {
    gateway = await startAndroidGateway();
  });
  afterAll(() => gateway.stop());

  test('a message that a process before gave to the phone is not sent again', async () => {
    const message = newOutgoing();
    const before = newModem(gateway);
    expect(await before.send(message)).toMatchObject({ outcome: 'sent' });
    expect(await newModem(gateway).send({ ...message, again: true })).toMatchObject({ outcome: 'sent' });
    expect(takenBy(gateway, message)).toHaveLength(1);
  });

  test('a phone that is away has certainly sent nothing, unless a process before gave it the message', async () => {
    const stopped = await startAndroidGateway();
    await stopped.stop();
    const away = newModem(stopped);
    expect(await away.send(newOutgoing())).toMatchObject({ outcome: 'refused', retryable: true });
    expect(await away.send(newOutgoing({ again: true }))).toMatchObject({ outcome: 'unknown' });
  });

  test.each([
    ['Failed', 'Short', { outcome: 'refused', code: 'ANDROID-FAILED', reason: 'RESULT_ERROR_NO_SERVICE' }],
    ['Failed', 'x'.repeat(300), { outcome: 'unknown', code: 'ANDROID-FAILED' }],
    ['Pending', 'Short', { outcome: 'refused', code: 'EXPIRED' }],
    ['Processed', 'Short', { outcome: 'unknown', code: 'NO_ANSWER' }],
  ] as const)('a message that stays %s', async (state, text, outcome) => {
    const message = newOutgoing({ text });
    gateway.fates[message.recipient] = state;
    expect(await newModem(gateway, { answerMs: 1_000 }).send(message)).toMatchObject(outcome);
  });

  test('wrong credentials are no fault of the message', async () => {
    const stranger = newModem(gateway, { password: 'wrong' });
    expect(await stranger.send(newOutgoing())).toMatchObject({
      outcome: 'refused',
      code: 'ANDROID-401',
      retryable: true,
    });
    await stranger.open(listen());
    expect(stranger.state()).toMatchObject({ up: false, reason: 'Unauthorized' });
    await stranger.close();
  });

  test('a phone that refuses a message which a process before may have given it leaves it in doubt', async () => {
    const message = newOutgoing();
    await newModem(gateway).send(message);
    const stranger = newModem(gateway, { password: 'wrong' });
    expect(await stranger.send({ ...message, again: true })).toMatchObject({
      outcome: 'unknown',
      code: 'ANDROID-401',
    });
    gateway.fates[message.recipient] = 'queue-full';
    expect(await newModem(gateway).send({ ...message, again: true })).toMatchObject({
      outcome: 'unknown',
      code: 'BUSY',
    });
  });

  test('a message whose time is over is not given to the phone any more, only asked for', async () => {
    const late = { again: true, expired: true };
    const never = newOutgoing(late);
    expect(await newModem(gateway).send(never)).toMatchObject({ outcome: 'refused', code: 'EXPIRED' });
    expect(takenBy(gateway, never)).toEqual([]);
    const given = newOutgoing();
    await newModem(gateway).send(given);
    expect(await newModem(gateway).send({ ...given, ...late })).toMatchObject({ outcome: 'sent' });
    const stranger = newModem(gateway, { password: 'wrong', answerMs: 1_000 });
    expect(await stranger.send({ ...given, ...late })).toMatchObject({ outcome: 'unknown' });
  });

  test('receipts of messages that a process before sent come too', async () => {
    const message = newOutgoing();
    const { references } = await newModem(gateway).send(message);
    const modem = newModem(gateway);
    const heard = listen();
    await modem.open(heard);
    gateway.settle(references[0] ?? '', 'Delivered');
    await vi.waitFor(
      () =>
        expect(heard.reports).toContainEqual(
          expect.objectContaining({ reference: references[0], state: 'delivered' }),
        ),
      PATIENT,
    );
    await modem.close();
  });

  test('what came in before the agent was there is left alone', async () => {
    gateway.receive({ from: '+85261114444', text: 'old' });
    const modem = newModem(gateway, { since: new Date(Date.now() + 1) });
    const heard = listen();
    await modem.open(heard);
    await modem.close();
    expect(heard.arrivals).toEqual([]);
  });
});
