import { type AddressInfo, createServer } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  type GraphApi,
  type GraphOptions,
  startGraphApi,
} from '../../../test/emulators/graph-api/graph-api.ts';
import { carrierSuite, listen, newOutgoing } from '../../../test/suites/carrier-suite.ts';
import { receiverInto, startWebhookServer } from '../../../test/webhooks/webhook-server.ts';
import { openHttpClient } from '../../ground/http-client/index.ts';
import type { CarrierEvents, Outgoing } from '../../traffic/lanes/index.ts';
import { openGraph } from './graph.ts';
import { GRAPH_ERRORS } from './graph-errors.ts';
import { type CloudSettings, cloudCarrier, cloudWebhook } from './index.ts';

const QUICK = { timeoutMs: 3_000, probeMs: 100, retry: { firstMs: 50, maxMs: 200 }, perSecond: 10_000 };
const APP = { appSecret: 'app-secret', verifyToken: 'verify-token' };
const LANE = 'whatsapp-cloud-1';

let last = 0;
/** Never ends like a magic number. */
const recipient = (): string => `+8526${String(++last).padStart(3, '0')}0000`;
const magic = (digits: string): string => `+8526${String(++last).padStart(3, '0')}${digits}`;

const settingsOf = (graph: GraphApi, settings: Partial<CloudSettings> = {}): CloudSettings => ({
  phoneNumberId: graph.numbers[0]?.phoneNumberId ?? '',
  token: graph.token,
  apiBase: graph.url(),
  openHttpClient,
  ...QUICK,
  ...settings,
});
const isSame = (message: Outgoing) => (one: GraphApi['taken'][number]) =>
  `+${one.to.replace(/^\+/, '')}` === message.recipient &&
  (one.text?.body ?? one.image?.caption ?? '') === message.text;

carrierSuite('the Cloud API', async () => {
  const graph = await startGraphApi();
  const carrier = cloudCarrier(settingsOf(graph));
  let events: CarrierEvents | undefined;
  const lanes = new Map([[graph.numbers[0]?.phoneNumberId ?? '', LANE]]);
  const webhook = cloudWebhook({ ...APP, lanes, log: { warn: () => {} } });
  const server = await startWebhookServer(
    [webhook],
    receiverInto(() => events),
  );
  graph.setWebhook({ url: `${server.url}/whatsapp`, ...APP });
  return {
    carrier: {
      ...carrier,
      open: (given) => {
        events = given;
        return carrier.open(given);
      },
    },
    recipient,
    sender: '+15550783881',
    taken: (message) => graph.taken.filter(isSame(message)).length,
    refuses: () => magic('9001'),
    refusesForNow: () => magic('9002'),
    staysSilent: () => magic('9005'),
    report: (id, state) => {
      void graph.report(id, state, state === 'failed' ? { errorCode: 131026 } : {});
    },
    write: async ({ from, text }) => {
      const id = await graph.write(from, { type: 'text', text: { body: text } });
      expect(id).toMatch(/^wamid/);
    },
    cut: () => graph.cut(),
    close: async () => {
      await graph.close();
      await server.close();
    },
  };
});

describe('the Cloud API', () => {
  const opened: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of opened.splice(0).reverse()) await close();
  });
  const start = async (options: GraphOptions = {}, settings: Partial<CloudSettings> = {}) => {
    const graph = await startGraphApi(options);
    opened.push(graph.close);
    const carrier = cloudCarrier(settingsOf(graph, settings));
    opened.push(() => carrier.close(0));
    const heard = listen();
    await carrier.open(heard);
    return { graph, carrier, heard };
  };

  describe('what goes out', () => {
    const image = 'https://example.com/a.jpg';
    const template = (rest: object) => ({
      content: { template: { name: 'order_update', language: 'en_US', ...rest } },
    });
    test.each([
      ['a text', { text: 'Hello 你好' }, { type: 'text', text: { body: 'Hello 你好', preview_url: false } }],
      [
        'an image',
        { text: 'Look', content: { image } },
        { type: 'image', image: { link: image, caption: 'Look' } },
      ],
      ['an image alone', { text: '', content: { image } }, { type: 'image', image: { link: image } }],
      [
        'a video',
        { text: 'Look', content: { video: 'https://example.com/a.mp4' } },
        { type: 'video', video: { link: 'https://example.com/a.mp4', caption: 'Look' } },
      ],
      [
        'a file with a name',
        { text: 'Your bill', content: { file: 'https://example.com/1', fileName: 'bill.pdf' } },
        {
          type: 'document',
          document: { link: 'https://example.com/1', caption: 'Your bill', filename: 'bill.pdf' },
        },
      ],
      [
        'a template without parameters',
        { content: { template: { name: 'hello_world', language: 'en_US' } } },
        { type: 'template', template: { name: 'hello_world', language: { code: 'en_US' } } },
      ],
      [
        'a template',
        template({ parameters: ['42', 'today'] }),
        {
          template: {
            components: [
              {
                type: 'body',
                parameters: [
                  { type: 'text', text: '42' },
                  { type: 'text', text: 'today' },
                ],
              },
            ],
          },
        },
      ],
      [
        'a template with named parameters',
        {
          content: {
            template: { name: 'named', language: 'en_US', parameters: { first_name: 'A', total: '5' } },
          },
        },
        {
          template: {
            components: [{ parameters: [{ parameter_name: 'first_name' }, { parameter_name: 'total' }] }],
          },
        },
      ],
      [
        'a template with an image',
        {
          content: {
            template: { name: 'with_image', language: 'en_US', parameters: ['x'], header: { image } },
          },
        },
        {
          template: {
            components: [{ type: 'header', parameters: [{ type: 'image', image: { link: image } }] }, {}],
          },
        },
      ],
      [
        'a template with a video',
        { content: { template: { name: 'with_video', language: 'en_US', header: { video: image } } } },
        { template: { components: [{ type: 'header', parameters: [{ type: 'video' }] }] } },
      ],
      [
        'a template with a file',
        {
          content: {
            template: {
              name: 'with_file',
              language: 'en_US',
              parameters: ['x'],
              header: { file: image, fileName: 'a.pdf' },
            },
          },
        },
        {
          template: { components: [{ parameters: [{ document: { link: image, filename: 'a.pdf' } }] }, {}] },
        },
      ],
      [
        'a template with a title',
        {
          content: {
            template: { name: 'with_title', language: 'en_US', parameters: ['x'], header: { text: 'T' } },
          },
        },
        { template: { components: [{ parameters: [{ type: 'text', text: 'T' }] }, {}] } },
      ],
      [
        'a template with buttons',
        {
          content: {
            template: {
              name: 'with_buttons',
              language: 'en_US',
              parameters: ['x'],
              buttons: [
                { index: 0, type: 'url' as const, value: 'abc' },
                { index: 1, type: 'quick_reply' as const, value: 'yes' },
              ],
            },
          },
        },
        {
          template: {
            components: [
              {},
              { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: 'abc' }] },
              { sub_type: 'quick_reply', parameters: [{ type: 'payload', payload: 'yes' }] },
            ],
          },
        },
      ],
    ])('%s', async (_, message: Partial<Outgoing>, expected) => {
      const { graph, carrier } = await start();
      const outgoing = newOutgoing({ recipient: recipient(), ...message });
      expect(await carrier.send(outgoing)).toMatchObject({ outcome: 'accepted' });
      expect(graph.taken).toMatchObject([{ ...expected, biz_opaque_callback_data: outgoing.id }]);
    });

    test('an answer quotes what it answers', async () => {
      const { graph, carrier } = await start();
      const to = recipient();
      const quotedMessage = await graph.write(to, { type: 'text', text: { body: '?' } });
      await carrier.send(newOutgoing({ recipient: to, content: { quotedMessage } }));
      expect(graph.taken[0]?.context).toEqual({ message_id: quotedMessage });
      expect(
        await carrier.send(newOutgoing({ recipient: to, content: { quotedMessage: 'wamid.nobody' } })),
      ).toMatchObject({ outcome: 'refused', retryable: false, reason: expect.stringContaining('131009') });
    });

    test.each([
      ['too few parameters', { parameters: ['1'] }, '132000'],
      ['too many parameters', { parameters: ['1', '2', '3'] }, '132000'],
      ['a language that it lacks', { parameters: ['1', '2'], language: 'fr' }, '132001'],
      ['a name that nobody approved', { name: 'nobody', parameters: ['1', '2'] }, '132001'],
      ['a header that it lacks', { parameters: ['1', '2'], header: { image } }, '132000'],
      ['the wrong kind of header', { name: 'with_video', header: { image } }, '132012'],
      [
        'a button that it lacks',
        { parameters: ['1', '2'], buttons: [{ index: 0, type: 'url' as const, value: 'x' }] },
        '132012',
      ],
      ['that is paused', { name: 'paused' }, '132015'],
      ['that is disabled', { name: 'disabled' }, '132016'],
    ])('a template with %s is refused for good', async (_, rest, code) => {
      const { graph, carrier } = await start();
      const said = await carrier.send(newOutgoing({ recipient: recipient(), ...template(rest) }));
      expect(said).toEqual({
        outcome: 'refused',
        code: 'E_TEMPLATE',
        reason: expect.stringContaining(`(${code})`),
        retryable: false,
      });
      expect(graph.taken).toHaveLength(0);
    });
  });

  describe('its errors', () => {
    test.each(Object.entries(GRAPH_ERRORS))('%s', async (code, { code: ours, retryable, concern }) => {
      const { graph, carrier } = await start();
      graph.behaviour.errorCode = Number(code);
      expect(await carrier.send(newOutgoing({ recipient: recipient() }))).toEqual({
        outcome: 'refused',
        code: ours,
        reason: expect.stringContaining(`(${code})`),
        retryable,
      });
      expect(carrier.isUp()).toBe(concern !== 'number');
    });

    test.each([
      [131047, 'E_NO_SESSION', false],
      [131026, 'E_RECIPIENT', false],
      [130429, 'E_RATE_LIMITED', true],
      [131056, 'E_RATE_LIMITED', true],
      [190, 'E_WHATSAPP_NUMBER', true],
      [299, 'E_WHATSAPP_NUMBER', true],
      [132001, 'E_TEMPLATE', false],
      [131053, 'E_MEDIA', false],
      [131050, 'E_OPTED_OUT', false],
      [999_999, 'E_REFUSED', false],
    ])('%i is %s', async (code, ours, retryable) => {
      const { graph, carrier } = await start();
      graph.behaviour.errorCode = code;
      expect(await carrier.send(newOutgoing({ recipient: recipient() }))).toMatchObject({
        code: ours,
        retryable,
      });
    });

    test.each([
      [500, { outcome: 'unknown' }],
      [502, { outcome: 'unknown' }],
      [503, { outcome: 'unknown' }],
      [429, { outcome: 'refused', retryable: true }],
      [401, { outcome: 'refused', retryable: true }],
      [404, { outcome: 'refused', retryable: false }],
      [200, { outcome: 'unknown' }],
      [302, { outcome: 'unknown' }],
    ])('HTTP %i without a word of Meta is %o', async (status, expected) => {
      const { graph, carrier } = await start();
      graph.behaviour.bareStatus = status;
      expect(await carrier.send(newOutgoing({ recipient: recipient() }))).toMatchObject(expected);
    });

    test.each([
      [1, 'refused'],
      [2, 'unknown'],
    ])('error %i, which says nothing, is %s by its HTTP status', async (code, outcome) => {
      const { graph, carrier } = await start();
      graph.behaviour.errorCode = code;
      const said = await carrier.send(newOutgoing({ recipient: recipient() }));
      expect(said.outcome).toBe(outcome);
    });
  });

  test('an unknown outcome holds the next ones back until the API is seen to work', async () => {
    const { graph, carrier, heard } = await start();
    graph.behaviour.bareStatus = 502;
    const [first, second] = [
      newOutgoing({ recipient: recipient() }),
      newOutgoing({ recipient: recipient() }),
    ];
    expect(await carrier.send(first)).toMatchObject({ outcome: 'unknown' });
    expect(await carrier.send(second)).toMatchObject({ outcome: 'refused', retryable: true });
    expect(heard.states.at(-1)).toMatchObject({ up: false, reason: expect.stringContaining('502') });
    graph.behaviour.bareStatus = undefined;
    await vi.waitFor(() => expect(carrier.isUp()).toBe(true));
    expect(await carrier.send(second)).toMatchObject({ outcome: 'accepted' });
  });

  test('a connection that breaks after the request went out is unknown', async () => {
    const { graph, carrier } = await start();
    const message = newOutgoing({ recipient: magic('9006') });
    expect(await carrier.send(message)).toMatchObject({ outcome: 'unknown' });
    expect(graph.taken).toHaveLength(1);
  });

  test('where nobody listens nothing was sent; where nobody answers, nobody knows', async () => {
    const { graph } = await start();
    const options = { apiVersion: 'v23.0', token: graph.token, window: 1, timeoutMs: 1_000, openHttpClient };
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    opened.push(async () => void silent.close());
    const { port } = silent.address() as AddressInfo;
    const ask = (apiBase: string) => openGraph({ ...options, apiBase }).post('1/messages', {});
    await expect(ask(`http://127.0.0.1:${port}`)).rejects.toMatchObject({ sent: true });
    await expect(ask(`https://127.0.0.1:${port}`)).rejects.toMatchObject({ sent: false });
    await graph.stop();
    await expect(ask(graph.url())).rejects.toMatchObject({ sent: false });
    await expect(ask('http://nobody.invalid')).rejects.toMatchObject({ sent: false });
  });

  test('a token that expires takes the lane down, and a new one brings it back', async () => {
    const { graph, carrier, heard } = await start();
    graph.behaviour.tokenExpired = true;
    expect(await carrier.send(newOutgoing({ recipient: recipient() }))).toMatchObject({ retryable: true });
    expect(carrier.isUp()).toBe(false);
    expect(heard.states.at(-1)).toEqual({ up: false, reason: expect.stringContaining('(190)') });
    await vi.waitFor(() => expect(graph.requests()).toBeGreaterThan(4));
    graph.behaviour.tokenExpired = false;
    await vi.waitFor(() => expect(carrier.isUp()).toBe(true));
  });

  test('a number that is not ours is down from the beginning, with the reason', async () => {
    const { carrier, heard } = await start({}, { phoneNumberId: '1' });
    expect(carrier.isUp()).toBe(false);
    expect(heard.states).toMatchObject([{ up: false }]);
  });

  test('it goes no faster than it may, and slower after a refusal of that kind', async () => {
    const { graph, carrier } = await start({ behaviour: { perSecond: 10 } }, { perSecond: 100 });
    const messages = Array.from({ length: 60 }, () => newOutgoing({ recipient: recipient() }));
    const said = await Promise.all(messages.map(carrier.send));
    const refused = said.filter(({ outcome }) => outcome === 'refused');
    expect(refused.length).toBeGreaterThan(0);
    for (const one of refused) expect(one).toMatchObject({ code: 'E_RATE_LIMITED', retryable: true });
    expect(graph.taken).toHaveLength(60 - refused.length);
  });
});
