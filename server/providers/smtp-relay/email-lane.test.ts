import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { MessageId } from '../../../contract/traffic/messages.ts';
import { insistOnBounce, reportOf } from '../../../test/bounces.ts';
import { openTestDelivery, PRICE_MICROS, type TestDelivery } from '../../../test/delivery.ts';
import { openSmtpSink, type SmtpSink } from '../../../test/emulators/smtp-sink/smtp-sink.ts';
import { KEY, mailsTo, recipientOf, relayTo } from '../../../test/mail-relay.ts';
import { freePort } from '../../../test/program.ts';
import { makeUnsubscribeToken, readUnsubscribeToken } from '../../customer/opt-outs/index.ts';
import type { Lane } from '../../traffic/lanes/index.ts';

let room: TestDelivery;
let sink: SmtpSink;
let lane: Lane;
let port: number;
let accountId: AccountId;
beforeAll(async () => {
  room = await openTestDelivery();
  sink = await openSmtpSink();
  port = await freePort();
  const settings = {
    bounces: { domain: 'bounces.sender.example', key: KEY, host: '127.0.0.1', port },
    unsubscribeUrl: (message: { accountId: AccountId; recipient: string }) =>
      `https://posthorn.example/unsubscribe/${makeUnsubscribeToken(KEY, { accountId: message.accountId, channel: 'email', recipient: message.recipient })}`,
  };
  lane = await room.addLane(() => relayTo(sink, {}, settings));
  room.work([lane]);
  accountId = await room.funded(100);
});
afterAll(async () => {
  await room.close();
  await sink.close();
});

const sendTo = async (to: string): Promise<MessageId> => {
  const [id] = await room.accept({ accountId, lane, recipient: () => to });
  return id as MessageId;
};
const only = async (id: MessageId) => (await room.read([id]))[0];

test('an email goes out by its lane, with a way for its recipient to end it', async () => {
  const to = recipientOf();
  const id = await sendTo(to);
  await room.become([id], 'SUCCESS');
  const [mail] = await mailsTo(sink, to);
  expect(mail?.messageId).toBe(`<${(await only(id))?.providerMessageId}>`);
  const link = mail?.headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? '';
  const token = /^<https:\/\/posthorn\.example\/unsubscribe\/(.*)>$/.exec(link)?.[1] ?? '';
  expect(readUnsubscribeToken(KEY, token)).toEqual({ accountId, channel: 'email', recipient: to });
});

test('a bounce fails the message under its code and refunds it, once', async () => {
  const before = await room.balance(accountId);
  const id = await sendTo(recipientOf());
  await room.become([id], 'SUCCESS');
  const returnPath = sink.received.find(({ raw }) => raw.includes(`<${id}@`))?.from ?? '';
  expect(await room.balance(accountId)).toBe(before - PRICE_MICROS);
  for (let times = 0; times < 2; times += 1)
    await insistOnBounce(port, returnPath, reportOf('failed', '5.1.1'));
  expect(await only(id)).toMatchObject({ status: 'FAILED', code: '5.1.1' });
  expect(await room.balance(accountId)).toBe(before);
});

test('a bounce that a recipient wrote fails the message, and gives no money back', async () => {
  const before = await room.balance(accountId);
  const id = await sendTo(recipientOf());
  await room.become([id], 'SUCCESS');
  const returnPath = sink.received.find(({ raw }) => raw.includes(`<${id}@`))?.from ?? '';
  // The mail server of these tests is at 127.0.0.1.
  await insistOnBounce(port, returnPath, reportOf('failed', '5.1.1'), '127.0.0.2');
  expect(await only(id)).toMatchObject({ status: 'FAILED', code: '5.1.1' });
  expect(await room.balance(accountId)).toBe(before - PRICE_MICROS);
});

test('a delay fails nothing, and a delivery is kept', async () => {
  const id = await sendTo(recipientOf());
  await room.become([id], 'SUCCESS');
  const returnPath = sink.received.find(({ raw }) => raw.includes(`<${id}@`))?.from ?? '';
  await insistOnBounce(port, returnPath, reportOf('delayed', '4.4.1'));
  expect(await only(id)).toMatchObject({ status: 'SUCCESS', deliveredAt: null });
  await insistOnBounce(port, returnPath, reportOf('delivered', '2.0.0'));
  expect(await only(id)).toMatchObject({ status: 'SUCCESS', deliveredAt: expect.any(Date) });
});

test('a refusal for good fails the message, one for now is tried again', async () => {
  const [refused, later] = [await sendTo(recipientOf('refused')), await sendTo(recipientOf('later'))];
  await room.become([refused], 'FAILED');
  expect(await only(refused)).toMatchObject({ code: '5.1.1' });
  expect(await only(later)).toMatchObject({ status: 'PENDING' });
});
