import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { MessageId } from '../../../contract/traffic/messages.ts';
import { bringBounce, reportOf } from '../../../test/bounces.ts';
import type { Receipt } from '../../traffic/lanes/index.ts';
import { bounceAddress, readBounceAddress } from './bounce-address.ts';
import { type BounceReceiver, openBounceReceiver } from './bounce-receiver.ts';

const ours = { domain: 'bounces.sender.example', key: randomBytes(32) };
const receipts: Receipt[] = [];
let canStore = true;
let fromRelay = true;
let receiver: BounceReceiver;
beforeAll(async () => {
  receiver = await openBounceReceiver(
    { ...ours, host: '127.0.0.1', port: 0, isRelay: async (address) => fromRelay && address === '127.0.0.1' },
    async (receipt) => {
      if (!canStore) throw new Error('the store is away');
      receipts.push(receipt);
    },
  );
});
afterAll(() => receiver.close(1_000));
beforeEach(() => {
  receipts.length = 0;
  canStore = true;
  fromRelay = true;
});
const newId = () => randomUUID() as MessageId;
const bring = (to: string, raw = reportOf('failed', '5.1.1')) => bringBounce(receiver.port, to, raw);

test('an address says whose bounce it is, in any case of its letters', () => {
  const id = newId();
  const address = bounceAddress(ours, id);
  expect(address.split('@')[0]?.length).toBeLessThanOrEqual(64);
  expect(readBounceAddress(ours, address)).toBe(id);
  expect(readBounceAddress(ours, address.toUpperCase())).toBe(id);
  expect(readBounceAddress({ ...ours, key: randomBytes(32) }, address)).toBeUndefined();
  expect(readBounceAddress({ ...ours, domain: 'other.example' }, address)).toBeUndefined();
});

test('a bounce becomes a receipt of its message', async () => {
  const id = newId();
  await bring(bounceAddress(ours, id));
  expect(receipts).toEqual([
    {
      messageId: id,
      providerMessageId: `${id}@${ours.domain}`,
      state: 'failed',
      code: '5.1.1',
      at: expect.any(Date),
    },
  ]);
});

test('a bounce that did not come from our mail server is marked: a recipient may have written it', async () => {
  fromRelay = false;
  const id = newId();
  await bring(bounceAddress(ours, id));
  expect(receipts).toMatchObject([{ messageId: id, state: 'failed', unproven: true }]);
});

const POSTFIX = 'by relay.example (Postfix)\r\n\tid 4ZQ1Jt2x; Tue, 17 Nov 2026 10:00:00 +0000 (UTC)';
test.each([
  ['Postfix', [POSTFIX], false],
  ['Exim', ['from mail by relay.example with local (Exim 4.97)\r\n\tid 1r3abc-0001'], false],
  ['sendmail', ['from localhost (localhost)\r\n\tby relay.example (8.17.1/8.17.1) id 3AHA0000'], false],
  [
    'a stranger',
    ['from evil.example (evil.example [192.0.2.1])\r\n\tby relay.example (Postfix) with ESMTP'],
    true,
  ],
  ['a stranger who forges', ['from localhost (unknown [192.0.2.1])\r\n\tby relay.example', POSTFIX], true],
  ['a stranger with one word', ['from\r\n\tby (unknown [192.0.2.1]) by relay.example with SMTP'], true],
])(
  'a bounce that our mail server brings is marked if it got it from elsewhere: %s',
  async (_, trace, unproven) => {
    const fields = trace.map((one) => `Received: ${one}\r\n`).join('');
    await bring(bounceAddress(ours, newId()), fields + reportOf('failed', '5.1.1'));
    expect(receipts.map((receipt) => receipt.unproven ?? false)).toEqual([unproven]);
  },
);

test.each([
  ['postmaster@bounces.sender.example'],
  [bounceAddress(ours, newId()).replace(/\.[0-9a-f]{16}@/, '.0123456789abcdef@')],
  [bounceAddress({ ...ours, domain: 'elsewhere.example' }, newId())],
  ['victim@example.com'],
])('it takes no mail for %s', async (to) => {
  await expect(bring(to)).rejects.toThrow(/550/);
  expect(receipts).toHaveLength(0);
});

test('what could not be stored is put off, and stored when it comes again', async () => {
  const to = bounceAddress(ours, newId());
  canStore = false;
  await expect(bring(to)).rejects.toThrow(/451/);
  canStore = true;
  await bring(to);
  expect(receipts).toHaveLength(1);
});

test('a mail that says nothing of a delivery is taken and forgotten', async () => {
  await bring(
    bounceAddress(ours, newId()),
    'From: a@example.com\r\nAuto-Submitted: auto-replied\r\nSubject: away\r\n\r\nI am away.\r\n',
  );
  expect(receipts).toHaveLength(0);
});

test('a bounce that brings back a large message is read all the same', async () => {
  await bring(
    bounceAddress(ours, newId()),
    reportOf('failed', '5.2.3').replace('--b--', `${'x'.repeat(70)}\r\n`.repeat(20_000)),
  );
  expect(receipts).toMatchObject([{ code: '5.2.3' }]);
});

test('it is no relay, knows no login, and outlives those who hang up', async () => {
  for (const said of [
    '',
    'EHLO',
    'MAIL FROM:<>\r\n',
    '\0\r\n'.repeat(100),
    'EHLO x\r\nMAIL FROM:<>\r\nRCPT TO:<',
  ]) {
    const socket = connect(receiver.port, '127.0.0.1');
    await once(socket, 'data');
    socket.end(said);
    socket.resume();
    await once(socket, 'close');
  }
  const socket = connect(receiver.port, '127.0.0.1');
  await once(socket, 'data');
  socket.write('EHLO x\r\n');
  const [answer] = await once(socket, 'data');
  expect(String(answer)).not.toMatch(/AUTH|STARTTLS/);
  socket.destroy();
  await bring(bounceAddress(ours, newId()));
  expect(receipts).toHaveLength(1);
});
