import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Smsc, type SmscOptions, startSmsc, USUAL_RECEIPTS } from '../../../test/emulators/smsc/smsc.ts';
import { carrierSuite, type Heard, listen, newOutgoing } from '../../../test/suites/carrier-suite.ts';
import type { Carrier } from '../../traffic/lanes/index.ts';
import { type SmppOptions, smppCarrier, smppOptions } from './index.ts';

const QUICK = { timeoutMs: 2_000, enquireLinkMs: 200, reconnect: { firstMs: 20, maxMs: 200 } };

const connect = (smsc: Smsc, options: Partial<SmppOptions> = {}): Carrier =>
  smppCarrier({ ...smppOptions(smsc.url()), ...QUICK, ...options });

let last = 0;
/** Never ends like a magic number. */
const recipient = (): string => `+8526${String(++last).padStart(3, '0')}0000`;
const magic = (digits: string): string => `+8526${String(++last).padStart(3, '0')}${digits}`;

const suiteOf = (name: string, options: Partial<SmppOptions>) =>
  carrierSuite(name, async () => {
    const smsc = await startSmsc();
    return {
      carrier: connect(smsc, options),
      recipient,
      sender: '+85230001000',
      taken: smsc.of,
      refuses: () => magic('9001'),
      refusesForNow: () => magic('9002'),
      staysSilent: () => magic('9005'),
      report: (id, state) => {
        void smsc.report(id, state === 'delivered' ? 'DELIVRD' : 'UNDELIV');
      },
      write: (message) => void smsc.write(message),
      cut: smsc.drop,
      texts: ['€'.repeat(81), `${'a'.repeat(152)}€${'b'.repeat(20)}`, `${'字'.repeat(66)}😀😀😀`],
      close: smsc.close,
    };
  });

suiteOf('SMPP', {});
suiteOf('SMPP with message_payload and one bind', { longMessages: 'payload', binds: 1, window: 10 });

describe('SMPP', () => {
  const opened: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of opened.splice(0).reverse()) await close();
  });

  const start = async (options: SmscOptions = {}): Promise<Smsc> => {
    const smsc = await startSmsc(options);
    opened.push(smsc.close);
    return smsc;
  };
  const open = async (smsc: Smsc, options: Partial<SmppOptions> = {}, heard: Heard = listen()) => {
    const carrier = connect(smsc, options);
    opened.push(() => carrier.close(0));
    await carrier.open(heard);
    return { carrier, heard };
  };
  const upWithin = (carrier: Carrier) => vi.waitFor(() => expect(carrier.isUp()).toBe(true));

  test('it makes as many binds as asked, and its window is that of all', async () => {
    const smsc = await start();
    const { carrier } = await open(smsc, { binds: 3, window: 7 });
    expect(smsc.counts().binds).toBe(3);
    expect(carrier.window).toBe(21);
  });

  test('a message centre is asked about a message by its own id', async () => {
    const smsc = await start();
    const { carrier } = await open(smsc, { binds: 1 });
    const message = newOutgoing({ recipient: recipient() });
    const said = await carrier.send(message);
    const question = { ...message, at: new Date() };
    const ask = async (providerMessageId: string | null) =>
      (await carrier.ask?.({ ...question, providerMessageId }))?.said;
    expect(await ask(said.outcome === 'accepted' ? said.providerMessageId : '')).toBe(
      'Of a part that it took it says ENROUTE.',
    );
    expect(await ask('nobody-has-it')).toMatch(/^The message centre answered/);
    expect(await ask(null)).toBe('The message centre gave no id that it could be asked by.');
    smsc.behaviour.hang = 'everything';
    expect(await ask('1')).toMatch(/did not answer in time|connection/);
    smsc.drop();
    await vi.waitFor(() => expect(carrier.isUp()).toBe(false), 20_000);
    expect(await ask('1')).toMatch(/connection/);
  });

  test('a wrong password is told, and tried again without end', async () => {
    const smsc = await start();
    const heard = listen();
    const carrier = smppCarrier({ ...smppOptions(smsc.url()), ...QUICK, password: 'wrong' });
    opened.push(() => carrier.close(0));
    await carrier.open(heard);
    expect(carrier.isUp()).toBe(false);
    expect(heard.states).toEqual([{ up: false, reason: 'the bind was refused with ESME_RINVPASWD' }]);
    expect(await carrier.send(newOutgoing({ recipient: recipient() }))).toMatchObject({
      code: 'NOT_CONNECTED',
      retryable: true,
    });
  });

  test('a message centre that comes later is found', async () => {
    const smsc = await start({ behaviour: { bindStatus: 0x0d } });
    const { carrier } = await open(smsc);
    expect(carrier.isUp()).toBe(false);
    smsc.behaviour.bindStatus = 0;
    await upWithin(carrier);
  });

  test('TLS is spoken, and a certificate that nobody vouches for is not taken unless told so', async () => {
    const pair = createRequire(import.meta.url)('smtp-server/lib/tls-options.js')() as {
      key: string;
      cert: string;
    };
    const smsc = await start({ tls: { key: pair.key, cert: pair.cert } });
    const { carrier } = await open(smsc, { tls: { verify: false } });
    const message = newOutgoing({ recipient: recipient() });
    expect(await carrier.send(message)).toMatchObject({ outcome: 'accepted' });
    expect(smsc.of(message)).toBe(1);
    const { carrier: strict } = await open(smsc);
    expect(strict.isUp()).toBe(false);
  });

  describe('what goes out', () => {
    test.each([
      ['+85230001000', { ton: 1, npi: 1, digits: '85230001000' }],
      ['12345', { ton: 3, npi: 0, digits: '12345' }],
      ['Posthorn', { ton: 5, npi: 0, digits: 'Posthorn' }],
      [undefined, { ton: 0, npi: 0, digits: '' }],
    ])('the sender %s is marked by its kind', async (from, source) => {
      const smsc = await start();
      const { carrier } = await open(smsc, { binds: 1 });
      await carrier.send(newOutgoing({ recipient: '+85261230000', from }));
      expect(smsc.submits.at(-1)).toMatchObject({
        source,
        destination: { ton: 1, npi: 1, digits: '85261230000' },
        registeredDelivery: 1,
      });
    });

    test('no receipt is asked for where none is wanted', async () => {
      const smsc = await start();
      const { carrier } = await open(smsc, { binds: 1, receipts: false });
      await carrier.send(newOutgoing({ recipient: recipient() }));
      expect(smsc.submits.at(-1)?.registeredDelivery).toBe(0);
    });

    test.each([
      ['BAD_RECIPIENT', { recipient: 'nobody' }],
      ['BAD_RECIPIENT', { recipient: '+852612300001234567890' }],
      ['BAD_SENDER', { recipient: '+85261230000', from: 'A name that is far too long' }],
      ['BAD_SENDER', { recipient: '+85261230000', from: 'naïve' }],
      ['EMPTY_TEXT', { recipient: '+85261230000', text: '' }],
      ['TOO_LONG', { recipient: '+85261230000', text: '字'.repeat(67 * 255 + 1) }],
    ])('%s: it never leaves', async (code, fields) => {
      const smsc = await start();
      const { carrier } = await open(smsc, { binds: 1 });
      expect(await carrier.send(newOutgoing(fields))).toMatchObject({
        outcome: 'refused',
        code,
        retryable: false,
      });
      expect(smsc.counts().submits).toBe(0);
    });

    test('more parts than the window holds all go out in their turn', async () => {
      const smsc = await start({ behaviour: { window: 3, latencyMs: 2 } });
      const { carrier } = await open(smsc, { binds: 1, window: 3 });
      const messages = Array.from({ length: 3 }, () =>
        newOutgoing({ recipient: recipient(), text: '0123456789'.repeat(150) }),
      );
      const said = await Promise.all(messages.map(carrier.send));
      expect(said.map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted', 'accepted']);
      expect(messages.map(smsc.of)).toEqual([1, 1, 1]);
    });
  });

  describe('what comes back', () => {
    const cases: [digits: string, said: object][] = [
      ['9001', { outcome: 'refused', code: 'ESME_RINVDSTADR', retryable: false }],
      ['9002', { outcome: 'refused', code: 'ESME_RTHROTTLED', retryable: true }],
      ['9003', { outcome: 'refused', code: 'ESME_RMSGQFUL', retryable: true }],
      ['9004', { outcome: 'refused', code: 'ESME_RSYSERR', retryable: true }],
      ['9005', { outcome: 'unknown', reason: 'The message centre did not answer in time.' }],
      ['9006', { outcome: 'unknown', reason: expect.stringContaining('ended before the answer') }],
      ['9011', { outcome: 'refused', code: '0x00000400', retryable: false }],
    ];
    test.each(cases)('a message to …%s', async (digits, said) => {
      const smsc = await start();
      const { carrier } = await open(smsc, { binds: 1 });
      expect(await carrier.send(newOutgoing({ recipient: magic(digits) }))).toMatchObject(said);
    });

    test.each(cases)('a long message to …%s', async (digits, said) => {
      const smsc = await start();
      const { carrier } = await open(smsc, { binds: 1 });
      const message = newOutgoing({ recipient: magic(digits), text: 'long '.repeat(50) });
      expect(await carrier.send(message)).toMatchObject(said);
    });

    test('a part that is refused for now, while the other was taken, is sent again and only it', async () => {
      const smsc = await start();
      const { carrier } = await open(smsc, { binds: 1 });
      const message = newOutgoing({ recipient: magic('9010'), text: 'long '.repeat(50) });
      expect(await carrier.send(message)).toMatchObject({ outcome: 'accepted' });
      expect(smsc.counts()).toMatchObject({ submits: 3, refused: 1, messages: 1 });
      expect(smsc.of(message)).toBe(1);
    });

    test('between two tries a message that is throttled is noted as not sent, and as in doubt before the next', async () => {
      const smsc = await start();
      const noted: string[] = [];
      const heard: Heard = {
        ...listen(),
        part: (_, { part }) => {
          noted.push(`${part.state} after ${smsc.counts().submits}`);
          smsc.behaviour.throttled = 0;
          return true;
        },
      };
      const { carrier } = await open(smsc, { binds: 1 }, heard);
      await carrier.send(newOutgoing({ recipient: recipient() }));
      smsc.behaviour.throttled = 1;
      const message = newOutgoing({ recipient: recipient() });
      expect(await carrier.send(message)).toMatchObject({ outcome: 'accepted' });
      expect(noted).toEqual(['waiting after 2', 'unknown after 2']);
      expect(smsc.of(message)).toBe(1);
    });

    test('a message centre that throttles is sent to more slowly, and gets everything once', async () => {
      const smsc = await start({ behaviour: { perSecond: 150 } });
      const { carrier } = await open(smsc, { binds: 1, window: 50 });
      const messages = Array.from({ length: 300 }, () => newOutgoing({ recipient: recipient() }));
      const sendUntilTaken = async (message: (typeof messages)[number]): Promise<void> => {
        const said = await carrier.send(message);
        if (said.outcome === 'accepted') return;
        expect(said).toMatchObject({ outcome: 'refused', retryable: true });
        await new Promise((resolve) => setTimeout(resolve, 100));
        return sendUntilTaken(message);
      };
      await Promise.all(messages.map(sendUntilTaken));
      expect(messages.every((message) => smsc.of(message) === 1)).toBe(true);
      expect(smsc.counts().refused).toBeLessThan(messages.length);
    });

    test('what waits for room when the connection is lost was certainly not sent', async () => {
      const smsc = await start({ behaviour: { hang: 'submits' } });
      const { carrier } = await open(smsc, { binds: 1, window: 1, timeoutMs: 5_000 });
      const messages = Array.from({ length: 3 }, () => newOutgoing({ recipient: recipient() }));
      const sent = messages.map(carrier.send);
      await vi.waitFor(() => expect(smsc.counts().submits).toBe(1));
      smsc.drop();
      expect((await Promise.all(sent)).map(({ outcome }) => outcome)).toEqual([
        'unknown',
        'refused',
        'refused',
      ]);
    });

    test('a message centre that answers nothing any more is left and bound to again', async () => {
      const smsc = await start();
      const { carrier, heard } = await open(smsc, { binds: 1 });
      smsc.behaviour.hang = 'everything';
      expect(await carrier.send(newOutgoing({ recipient: recipient() }))).toMatchObject({
        outcome: 'unknown',
      });
      await vi.waitFor(() =>
        expect(heard.states.at(-1)).toEqual({ up: false, reason: 'the message centre is silent' }),
      );
      smsc.behaviour.hang = 'never';
      await upWithin(carrier);
      expect(await carrier.send(newOutgoing({ recipient: recipient() }))).toMatchObject({
        outcome: 'accepted',
      });
    });

    test('a socket that never speaks does not keep it from opening', async () => {
      const silent = createServer(() => {});
      await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
      opened.push(async () => void silent.close());
      const { port } = silent.address() as { port: number };
      const carrier = smppCarrier({
        host: '127.0.0.1',
        port,
        systemId: 'a',
        password: 'b',
        ...QUICK,
        timeoutMs: 100,
      });
      await carrier.open(listen());
      expect(carrier.isUp()).toBe(false);
      await carrier.close(0);
    });

    test('the end of one bind of two leaves the other working', async () => {
      const smsc = await start();
      const { carrier, heard } = await open(smsc);
      const dropped = carrier.send(newOutgoing({ recipient: magic('9006') }));
      expect(await dropped).toMatchObject({ outcome: 'unknown' });
      expect(await carrier.send(newOutgoing({ recipient: recipient() }))).toMatchObject({
        outcome: 'accepted',
      });
      expect(heard.states.map(({ up }) => up)).toEqual([true]);
    });
  });

  describe('receipts', () => {
    const behaviours = [
      { order: 'kept' },
      { order: 'reversed', delayMs: 20 },
      { order: 'before-answer' },
      { ids: 'decimal', delayMs: 5 },
      { ids: 'hex', delayMs: 5 },
      { form: 'tlv' },
      { form: 'tlv', order: 'before-answer' },
    ] as const;
    test.each(behaviours)('%o: each message has its own', async (receipts) => {
      const smsc = await start({ behaviour: { receipts: { ...USUAL_RECEIPTS, ...receipts } } });
      const { carrier, heard } = await open(smsc);
      const messages = Array.from({ length: 50 }, (_, index) =>
        newOutgoing({ recipient: index % 2 ? recipient() : magic('9007') }),
      );
      const said = await Promise.all(messages.map(carrier.send));
      await vi.waitFor(() => expect(heard.receipts).toHaveLength(50));
      const states = new Map(heard.receipts.map((one) => [one.providerMessageId, one.state]));
      said.forEach((one, index) => {
        if (one.outcome !== 'accepted') throw new Error(one.outcome);
        expect(states.get(one.providerMessageId)).toBe(index % 2 ? 'delivered' : 'failed');
      });
    });

    test.each(['decimal', 'hex'] as const)(
      'ids that are set to be %s in receipts need no memory',
      async (ids) => {
        const receipts = { ...USUAL_RECEIPTS, ids, order: 'before-answer' } as const;
        const smsc = await start({ behaviour: { receipts } });
        const { carrier, heard } = await open(smsc, { receiptIds: ids });
        const said = await carrier.send(newOutgoing({ recipient: recipient() }));
        await vi.waitFor(() => expect(heard.receipts).toHaveLength(1));
        expect(said).toEqual({
          outcome: 'accepted',
          providerMessageId: heard.receipts[0]?.providerMessageId,
        });
      },
    );

    test.each(['kept', 'reversed', 'before-answer'] as const)(
      'each part of a long message has an id and a receipt of its own (%s)',
      async (order) => {
        const smsc = await start({ behaviour: { receipts: { ...USUAL_RECEIPTS, order } } });
        const { carrier, heard } = await open(smsc);
        const said = await carrier.send(newOutgoing({ recipient: recipient(), text: 'long '.repeat(90) }));
        if (said.outcome !== 'accepted') throw new Error(said.outcome);
        await vi.waitFor(() => expect(heard.receipts).toHaveLength(3));
        expect(said.parts?.map(({ state }) => state)).toEqual(['taken', 'taken', 'taken']);
        expect(new Set(heard.receipts.map((one) => one.providerMessageId))).toEqual(
          new Set(said.parts?.map(({ id }) => id)),
        );
        expect(heard.receipts.every(({ state, ofPart }) => state === 'delivered' && ofPart)).toBe(true);
      },
    );

    test('a text in the form of a receipt is what somebody wrote, unless the setting says that there are such', async () => {
      const smsc = await start();
      const written = { from: '+85261230000', to: '12345', text: 'id:1 sub:001 stat:UNDELIV err:001' };
      const { carrier, heard } = await open(smsc);
      await smsc.write(written);
      expect(heard.receipts).toEqual([]);
      expect(heard.inbounds).toMatchObject([written]);
      await carrier.close(0);
      const { heard: trusting } = await open(smsc, { unmarkedReceipts: true });
      await smsc.write(written);
      expect(trusting.receipts).toMatchObject([{ providerMessageId: '1', state: 'failed' }]);
      expect(trusting.inbounds).toEqual([]);
    });

    test('a receipt that comes while nobody can store it comes again on the next connection', async () => {
      const smsc = await start();
      const receipt = vi.fn(() => new Promise<void>(() => {}));
      const { carrier } = await open(smsc, {}, { ...listen(), receipt });
      const said = await carrier.send(newOutgoing({ recipient: recipient() }));
      if (said.outcome !== 'accepted') throw new Error(said.outcome);
      const reported = smsc.report(said.providerMessageId, 'DELIVRD');
      await vi.waitFor(() => expect(receipt).toHaveBeenCalled());
      await carrier.close(0);
      const { heard } = await open(smsc);
      await reported;
      expect(heard.receipts.map((one) => one.providerMessageId)).toEqual([said.providerMessageId]);
    });

    test('a receipt names whom the message was for', async () => {
      const smsc = await start({ behaviour: { receipts: USUAL_RECEIPTS } });
      const { carrier, heard } = await open(smsc);
      const to = recipient();
      await carrier.send(newOutgoing({ recipient: to }));
      await vi.waitFor(() => expect(heard.receipts).toMatchObject([{ recipient: to, code: 'DELIVRD' }]));
    });

    test('a receipt sent twice is told twice: who stores it knows', async () => {
      const smsc = await start({ behaviour: { receipts: { ...USUAL_RECEIPTS, times: 2 } } });
      const { carrier, heard } = await open(smsc);
      await carrier.send(newOutgoing({ recipient: recipient() }));
      await vi.waitFor(() => expect(heard.receipts).toHaveLength(2));
    });
  });

  describe('incoming messages', () => {
    const written = { from: '+85261230000', to: '12345' };

    test.each([
      ['GSM 7', 'Yes {please} €'],
      ['UCS-2', '好的，多謝😀'],
      ['long GSM 7', 'x{'.repeat(200)],
      ['long UCS-2', '長'.repeat(200)],
    ])('%s', async (_, text) => {
      const smsc = await start();
      const { heard } = await open(smsc);
      await smsc.write({ ...written, text });
      expect(heard.inbounds).toMatchObject([{ ...written, text }]);
    });

    test('parts are acknowledged only when the whole is stored, and come again until then', async () => {
      const smsc = await start();
      let away = true;
      const heard = listen();
      await open(
        smsc,
        {},
        {
          ...heard,
          inbound: async (inbound) => {
            if (away) throw new Error('the store is away');
            await heard.inbound(inbound);
          },
        },
      );
      const done = smsc.write({ ...written, text: 'y'.repeat(400) });
      await vi.waitFor(() => expect(smsc.counts().sentAgain).toBeGreaterThan(2));
      expect(smsc.counts().acknowledged).toBe(0);
      away = false;
      await done;
      expect(heard.inbounds.map(({ text }) => text)).toEqual(['y'.repeat(400)]);
    });

    test('what is incomplete is told after the time limit, with a gap', async () => {
      const smsc = await start();
      const { heard } = await open(smsc, { reassemblyMs: 200 });
      await smsc.deliver({
        source: { ton: 1, npi: 1, digits: '85261230000' },
        destination: { ton: 3, npi: 0, digits: '12345' },
        esmClass: 0x40,
        registeredDelivery: 0,
        dataCoding: 0,
        content: Buffer.from('\x05\x00\x03\x07\x02\x02the end', 'latin1'),
        asPayload: false,
      });
      await vi.waitFor(() => expect(heard.inbounds.map(({ text }) => text)).toEqual(['…the end']));
    });
  });

  test.each([
    ['a length of zero', '00000000000000000000000000000000'],
    ['an absurd length', '7fffffff000000040000000000000001'],
    ['text', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n').toString('hex')],
  ])('after %s it binds again', async (_, hex) => {
    const smsc = await start();
    const { carrier, heard } = await open(smsc, { binds: 1 });
    smsc.garble(Buffer.from(hex, 'hex'));
    await vi.waitFor(() => expect(heard.states.some(({ up }) => !up)).toBe(true));
    await upWithin(carrier);
    expect(await carrier.send(newOutgoing({ recipient: recipient() }))).toMatchObject({
      outcome: 'accepted',
    });
  });

  test.each([
    ['a deliver_sm without a body', '00000010000000050000000000000001'],
    ['an unknown command', '00000010000001030000000000000002'],
    ['an answer to nothing', '00000010800000040000000000abcdef'],
    ['a nack of nothing', '00000010800000000000000300abcdef'],
    ['an outbind', '000000120000000b00000000000000030000'],
  ])('%s is survived without a new bind', async (_, hex) => {
    const smsc = await start();
    const { carrier } = await open(smsc, { binds: 1 });
    smsc.garble(Buffer.from(hex, 'hex'));
    expect(await carrier.send(newOutgoing({ recipient: recipient() }))).toMatchObject({
      outcome: 'accepted',
    });
    expect(smsc.counts().binds).toBe(1);
  });

  test('a PDU that never ends is not waited for without end', async () => {
    const smsc = await start();
    const { carrier, heard } = await open(smsc, { binds: 1 });
    smsc.garble(Buffer.from('0000ffff000000050000000000000001', 'hex'));
    const unheard = carrier.send(newOutgoing({ recipient: recipient() }));
    await vi.waitFor(() => expect(heard.states.some(({ up }) => !up)).toBe(true));
    expect(await unheard).toMatchObject({ outcome: 'unknown' });
    await upWithin(carrier);
    expect(await carrier.send(newOutgoing({ recipient: recipient() }))).toMatchObject({
      outcome: 'accepted',
    });
  });

  test('whatever the message centre sends, it is alive afterwards', async () => {
    const smsc = await start();
    const { carrier } = await open(smsc, { binds: 1, timeoutMs: 150, enquireLinkMs: 50 });
    const commands = [0x80000000, 0x80000004, 5, 6, 0x80000006, 0x80000009, 0x15, 0x103, 0xb];
    const pdu = fc
      .tuple(
        fc.constantFrom(...commands),
        fc.nat(300),
        fc.nat(50),
        fc.uint8Array({ maxLength: 100 }),
        fc.integer({ min: -2, max: 2 }),
      )
      .map(([command, status, number, body, lie]) => {
        const header = Buffer.alloc(16);
        [16 + body.length + (lie === 2 ? 9 : 0), command, status, number].forEach((value, index) => {
          header.writeUInt32BE(value, index * 4);
        });
        return Buffer.concat([header, body]);
      });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(pdu, fc.uint8Array({ maxLength: 40 })), { minLength: 1, maxLength: 8 }),
        async (octets) => {
          smsc.garble(Buffer.concat(octets));
          await vi.waitFor(
            async () =>
              expect(await carrier.send(newOutgoing({ recipient: recipient() }))).toMatchObject({
                outcome: 'accepted',
              }),
            { interval: 10 },
          );
        },
      ),
      { numRuns: 25 },
    );
  });
});
