import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import type { MessageId } from '../../../contract/traffic/messages.ts';
import {
  startTwilio,
  type Trouble,
  type Twilio,
  type TwilioAccount,
} from '../../../test/emulators/twilio.ts';
import { carrierSuite, listen, newOutgoing } from '../../../test/suites/carrier-suite.ts';
import { openWebhookCalls } from '../../../test/webhooks/webhook-calls.ts';
import { openLink } from '../../ground/http-client/index.ts';
import type { Carrier } from '../../traffic/lanes/index.ts';
import { type TwilioOptions, twilioCarrier, twilioWebhooks } from './index.ts';
import { outcomeOf } from './twilio-carrier.ts';
import { isSigned, sign } from './twilio-signature.ts';
import { readStatus, readTwilioInbound } from './twilio-webhooks.ts';

const hex = () => randomBytes(16).toString('hex');
const OWN_NUMBER = '+15005550006';
const account: TwilioAccount = {
  sid: `AC${hex()}`,
  token: hex(),
  keys: [{ sid: `SK${hex()}`, secret: hex() }],
  numbers: [OWN_NUMBER],
  messagingServices: [`MG${hex()}`],
};
const linkTo: TwilioOptions['openLink'] = (options) =>
  openLink({ ...options, connectMs: 5_000, answerMs: 3_000 });

let number = 61_000_000;
const recipient = (): string => `+852${number++}`;

carrierSuite('Twilio', async () => {
  const twilio = await startTwilio(account);
  const calls = await openWebhookCalls((publicUrl) =>
    twilioWebhooks({ laneName: 'twilio', authToken: account.token, publicUrl }),
  );
  const troubled = (kind: Trouble) => () => {
    const to = recipient();
    twilio.trouble(to, kind);
    return to;
  };
  const carrier = twilioCarrier({
    accountSid: account.sid,
    authToken: account.token,
    from: OWN_NUMBER,
    statusCallback: `${calls.publicUrl}/api/providers/twilio/status`,
    apiBase: twilio.url,
    openLink: linkTo,
  });
  const heard: Carrier = {
    ...carrier,
    open: (events) => {
      calls.hear(events);
      return carrier.open(events);
    },
  };
  return {
    carrier: heard,
    recipient,
    sender: OWN_NUMBER,
    taken: ({ recipient, text }) =>
      twilio.all().filter((one) => one.to === recipient && one.body === text).length,
    refuses: () => '+15005550001',
    refusesForNow: troubled('rate-limited'),
    staysSilent: troubled('silent'),
    report: async (sid, state) => {
      void twilio.report(
        sid,
        state === 'failed' ? 'undelivered' : state,
        state === 'failed' ? 30003 : undefined,
      );
    },
    write: async (message) => {
      expect(await twilio.write(`${calls.publicUrl}/api/providers/twilio/inbound`, message)).toBe(200);
    },
    cut: async () => {
      await twilio.stop();
      await carrier.send(newOutgoing({ recipient: recipient() }));
      setTimeout(() => void twilio.start(), 100);
    },
    close: async () => {
      await calls.close();
      await twilio.close();
    },
  };
});

describe('Twilio', () => {
  let twilio: Twilio;
  const open = async (options: Partial<TwilioOptions> = {}): Promise<Carrier> => {
    const carrier = twilioCarrier({
      accountSid: account.sid,
      authToken: account.token,
      from: OWN_NUMBER,
      apiBase: twilio.url,
      openLink: linkTo,
      ...options,
    });
    await carrier.open(listen());
    return carrier;
  };
  beforeAll(async () => {
    twilio = await startTwilio(account);
  });
  afterAll(() => twilio.close());

  test.each([
    ['+15005550001', 'INVALID_RECIPIENT', false],
    ['+15005550002', 'NOT_ROUTABLE', true],
    ['+15005550003', 'REGION_DISABLED', true],
    ['+15005550004', 'OPTED_OUT', false],
    ['+15005550009', 'NOT_A_MOBILE', false],
    ['not-a-number', 'INVALID_RECIPIENT', false],
  ])('to %s is refused as %s', async (to, code, retryable) => {
    const said = await (await open()).send(newOutgoing({ recipient: to }));
    expect(said).toMatchObject({ outcome: 'refused', code, retryable });
  });

  test.each([
    ['+15005550007', 'INVALID_SENDER', false],
    ['+15005550008', 'QUEUE_FULL', true],
    ['+85261234567', 'INVALID_SENDER', false],
    ['A name that is too long', 'INVALID_SENDER', false],
  ])('from %s is refused as %s', async (from, code, retryable) => {
    const said = await (await open()).send(newOutgoing({ recipient: recipient(), from }));
    expect(said).toMatchObject({ outcome: 'refused', code, retryable });
  });

  it('does not blame a message for a sender that the settings name', async () => {
    const said = await (await open({ from: '+15005550007' })).send(newOutgoing({ recipient: recipient() }));
    expect(said).toMatchObject({ outcome: 'refused', code: 'INVALID_SENDER', retryable: true });
  });

  it('sends with an API key, by a messaging service, and by a name', async () => {
    const carrier = await open({
      apiKey: account.keys[0],
      messagingServiceSid: account.messagingServices[0],
    });
    const [plain, named] = [
      newOutgoing({ recipient: recipient() }),
      newOutgoing({ recipient: recipient(), from: 'Posthorn' }),
    ];
    expect(await carrier.send(plain)).toMatchObject({ outcome: 'accepted' });
    expect(await carrier.send(named)).toMatchObject({ outcome: 'accepted' });
    const fromOf = ({ recipient: to }: { recipient: string }) =>
      twilio.all().find((one) => one.to === to)?.from;
    expect([fromOf(plain), fromOf(named)]).toEqual(['', 'Posthorn']);
  });

  it('wrong credentials are no fault of the message: it may go elsewhere', async () => {
    const said = await (await open({ authToken: 'wrong' })).send(newOutgoing({ recipient: recipient() }));
    expect(said).toMatchObject({ outcome: 'refused', code: 'CREDENTIALS_REFUSED', retryable: true });
  });

  it('a text beyond 1600 characters is refused for good', async () => {
    const said = await (await open()).send(newOutgoing({ recipient: recipient(), text: 'x'.repeat(1_601) }));
    expect(said).toMatchObject({ outcome: 'refused', code: 'TEXT_TOO_LONG', retryable: false });
  });

  test.each(['broken', 'hang-up', 'silent'] as const)(
    'an answer that is %s leaves it unknown: Twilio took the message',
    async (kind) => {
      const message = newOutgoing({ recipient: recipient() });
      twilio.trouble(message.recipient, kind);
      expect(await (await open()).send(message)).toMatchObject({ outcome: 'unknown' });
      expect(twilio.all().filter(({ to }) => to === message.recipient)).toHaveLength(1);
    },
  );

  it('the page of a proxy is no answer of Twilio, but certainly a refusal', async () => {
    const message = newOutgoing({ recipient: recipient() });
    twilio.trouble(message.recipient, 'no-json');
    expect(await (await open()).send(message)).toMatchObject({
      outcome: 'refused',
      code: 'HTTP_403',
      retryable: true,
    });
  });

  it('a connection that is refused means: certainly not sent; it goes down and comes back by itself', async () => {
    const own = await startTwilio(account);
    const heard = listen();
    const carrier = twilioCarrier({
      accountSid: account.sid,
      authToken: account.token,
      from: OWN_NUMBER,
      apiBase: own.url,
      openLink: linkTo,
    });
    await carrier.open(heard);
    await own.stop();
    expect(await carrier.send(newOutgoing({ recipient: recipient() }))).toMatchObject({
      outcome: 'refused',
      code: 'NOT_CONNECTED',
      retryable: true,
    });
    expect(carrier.isUp()).toBe(false);
    await own.start();
    await expect.poll(() => carrier.isUp()).toBe(true);
    expect(heard.states.map(({ up }) => up)).toEqual([true, false, true]);
    await carrier.close(100);
    await own.close();
  });

  test.each([
    [200, '{}', 'unknown', undefined],
    [201, 'not JSON', 'unknown', undefined],
    [201, '{"sid":"SM1"}', 'accepted', undefined],
    [302, '', 'refused', true],
    [400, '{"code":29999,"message":"new","status":400}', 'refused', false],
    [403, '{"code":29999,"status":403}', 'refused', true],
    [429, '{"code":29999,"status":429}', 'refused', true],
    [408, '', 'unknown', undefined],
    [503, '{"code":20503,"status":503}', 'unknown', undefined],
  ])('the answer %i %s means %s', (status, body, outcome, retryable) => {
    expect(outcomeOf({ kind: 'answered', status, headers: {}, body })).toMatchObject({
      outcome,
      ...(retryable !== undefined && { retryable }),
    });
  });
});

describe('what Twilio tells', () => {
  const fields = (given: Record<string, string>) => new URLSearchParams(given);

  it('signs as in Twilio’s documents', () => {
    const told = fields({
      CallSid: 'CA1234567890ABCDE',
      From: '+12349013030',
      To: '+18005551212',
      Caller: '+12349013030',
      Digits: '1234',
    });
    const url = 'https://mycompany.com/myapp.php?foo=1&bar=2';
    expect(sign('12345', url, told)).toBe('0/KCTR6DLpKmkAf8muzZqo1nDgQ=');
    const check = (signature: string, address = url) =>
      isSigned('12345', { signature, url: address, fields: told });
    expect(check('0/KCTR6DLpKmkAf8muzZqo1nDgQ=')).toBe(true);
    expect(check('0/KCTR6DLpKmkAf8muzZqo1nDgR=')).toBe(false);
    expect(check('')).toBe(false);
    expect(check('0/KCTR6DLpKmkAf8muzZqo1nDgQ=', `${url}3`)).toBe(false);
    const named = sign('12345', 'https://mycompany.com:443/myapp.php?foo=1&bar=2', told);
    expect(check(named)).toBe(true);
  });

  test.each([
    ['queued', undefined, 'enroute', ''],
    ['sent', undefined, 'enroute', ''],
    ['some_new_status', undefined, 'enroute', ''],
    ['delivered', undefined, 'delivered', ''],
    ['read', undefined, 'read', ''],
    ['undelivered', '30003', 'failed', 'UNREACHABLE'],
    ['undelivered', '30004', 'failed', 'BLOCKED'],
    ['undelivered', '30005', 'failed', 'UNKNOWN_RECIPIENT'],
    ['undelivered', '30006', 'failed', 'NOT_A_MOBILE'],
    ['undelivered', '30007', 'failed', 'FILTERED'],
    ['failed', '30008', 'failed', 'NOT_DELIVERED'],
    ['failed', '39999', 'failed', 'TWILIO_39999'],
    ['failed', undefined, 'failed', ''],
    ['canceled', undefined, 'failed', 'CANCELLED'],
  ])('the status %s with %s means %s', (status, error, state, code) => {
    const id = randomUUID() as MessageId;
    const told = fields({
      MessageSid: 'SM1',
      MessageStatus: status,
      To: '+1',
      ...(error && { ErrorCode: error }),
    });
    expect(readStatus(told, id, new Date(0))).toEqual({
      providerMessageId: 'SM1',
      state,
      at: new Date(0),
      code,
      messageId: id,
      recipient: '+1',
    });
  });

  it('knows what is no status, and does not take anything for our id', () => {
    expect(readStatus(fields({ MessageStatus: 'sent' }), null, new Date())).toBeUndefined();
    expect(readStatus(fields({ MessageSid: 'SM1' }), null, new Date())).toBeUndefined();
    const told = fields({ MessageSid: 'SM1', MessageStatus: 'sent' });
    expect(readStatus(told, 'x', new Date())).not.toHaveProperty('messageId');
  });

  it('keeps the addresses of pictures', () => {
    const told = fields({
      MessageSid: 'MM1',
      From: '+1',
      To: '+2',
      Body: 'look',
      NumMedia: '1',
      MediaUrl0: 'https://m/0',
    });
    expect(readTwilioInbound(told, new Date(0))?.text).toBe('look\nhttps://m/0');
    expect(readTwilioInbound(fields({ From: '+1', To: '+2' }), new Date())).toBeUndefined();
  });

  it('a call without Twilio’s signature changes nothing', async () => {
    const calls = await openWebhookCalls((publicUrl) =>
      twilioWebhooks({ laneName: 'twilio', authToken: account.token, publicUrl }),
    );
    const heard = listen();
    calls.hear(heard);
    const url = `${calls.publicUrl}/api/providers/twilio/status`;
    const body = fields({ MessageSid: 'SM1', MessageStatus: 'delivered' });
    const post = async (signature: string, to = url) =>
      (await fetch(to, { method: 'POST', headers: { 'x-twilio-signature': signature }, body })).status;
    expect(await post('')).toBe(403);
    expect(await post(sign('another token', url, body))).toBe(403);
    expect(await post(sign(account.token, `${url}?id=1`, body), `${url}?id=2`)).toBe(403);
    expect(heard.receipts).toEqual([]);
    expect(await post(sign(account.token, url, body))).toBe(204);
    expect(heard.receipts).toHaveLength(1);
    expect([...calls.told.lanes]).toEqual(['twilio']);
    await calls.close();
  });
});
