import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { startTwilio } from '../../../test/emulators/twilio.ts';
import { newOutgoing } from '../../../test/suites/carrier-suite.ts';
import { openLink } from '../../ground/http-client/index.ts';
import { twilioCarrier } from './index.ts';

const hex = () => randomBytes(16).toString('hex');
const OWN_NUMBER = '+15005550006';
const account = { sid: `AC${hex()}`, token: hex(), keys: [], numbers: [OWN_NUMBER], messagingServices: [] };
const twilio = await startTwilio(account);
const carrier = twilioCarrier({
  accountSid: account.sid,
  authToken: account.token,
  from: OWN_NUMBER,
  apiBase: twilio.url,
  openLink: (options) => openLink({ ...options, connectMs: 5_000, answerMs: 3_000 }),
});
await carrier.open({ receipt: async () => {}, inbound: async () => {}, state: () => {} });
afterAll(async () => {
  await carrier.close(1_000);
  await twilio.close();
});

let number = 62_000_000;
/** Sends a message whose answer is lost, and asks about it. */
const lose = async (text: string, recipient = `+852${number++}`) => {
  twilio.trouble(recipient, 'hang-up');
  const message = newOutgoing({ recipient, text });
  expect(await carrier.send(message)).toMatchObject({ outcome: 'unknown' });
  return { ...message, providerMessageId: null, at: new Date() };
};
const sidOf = (recipient: string) => twilio.all().find(({ to }) => to === recipient)?.sid ?? '';

test('a message whose answer was lost is found by its text and time', async () => {
  const question = await lose('lost');
  expect(await carrier.ask?.(question)).toEqual({
    state: 'taken',
    code: '',
    said: `Twilio has it as ${sidOf(question.recipient)}: queued.`,
  });
  await twilio.report(sidOf(question.recipient), 'undelivered');
  expect(await carrier.ask?.(question)).toMatchObject({ state: 'failed', code: '30005' });
});

test('one that Twilio never got is absent, and one of another time is another', async () => {
  const question = await lose('lost again');
  expect(await carrier.ask?.({ ...question, text: randomUUID() })).toMatchObject({ state: 'absent' });
  expect(await carrier.ask?.({ ...question, at: new Date(0) })).toMatchObject({ state: 'absent' });
});

test('two that are alike can not be told apart', async () => {
  const first = await lose('twice');
  await lose('twice', first.recipient);
  expect(await carrier.ask?.(first)).toMatchObject({ state: 'unknown', said: 'Twilio has 2 such messages.' });
});

test('a Twilio that can not be reached says nothing', async () => {
  const question = await lose('gone');
  await twilio.stop();
  expect(await carrier.ask?.(question)).toMatchObject({ state: 'unknown' });
  await twilio.start();
});
