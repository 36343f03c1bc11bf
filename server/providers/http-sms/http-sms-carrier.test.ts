import { fileURLToPath } from 'node:url';
import { describe, expect, it, test } from 'vitest';
import {
  jsonStyle,
  queryStyle,
  type Style,
  startGateway,
  type Trouble,
  xmlStyle,
} from '../../../test/emulators/sms-gateways.ts';
import { carrierSuite, listen, newOutgoing } from '../../../test/suites/carrier-suite.ts';
import { openWebhookCalls } from '../../../test/webhooks/webhook-calls.ts';
import { openLink } from '../../ground/http-client/index.ts';
import type { Carrier } from '../../traffic/lanes/index.ts';
import { httpSmsCarrier, httpSmsWebhooks, type ProviderTemplate, readTemplates } from './index.ts';

/** The worked examples of the documents, at the emulator's address. */
const templateOf = (name: string, { env }: Style, url: string): ProviderTemplate => {
  const path = fileURLToPath(new URL(`../../../docs/http-sms/${name}.json`, import.meta.url));
  const [template] = readTemplates({ path, variable: (variable) => env[variable] });
  if (!template) throw new Error('there is no template');
  return { ...template, send: { ...template.send, url: template.send.url.replace(/^https:\/\/[^/]+/, url) } };
};
const linkTo: typeof openLink = (options) => openLink({ ...options, connectMs: 5_000, answerMs: 3_000 });

let number = 62_000_000;
const recipient = (): string => `+852${number++}`;

const STYLES = [
  ['json-api', jsonStyle],
  ['query-api', queryStyle],
  ['xml-api', xmlStyle],
] as const;

const openUnderTest = async (name: string, style: Style) => {
  const gateway = await startGateway(style);
  const template = templateOf(name, style, gateway.url);
  const calls = await openWebhookCalls((publicUrl) => httpSmsWebhooks(template, publicUrl));
  const carrier = httpSmsCarrier({ template, publicUrl: calls.publicUrl, openLink: linkTo });
  return { gateway, template, calls, carrier };
};

for (const [name, style] of STYLES)
  carrierSuite(`the template ${name}`, async () => {
    const { gateway, calls, carrier } = await openUnderTest(name, style);
    const troubled = (kind: Trouble) => () => {
      const to = recipient();
      gateway.trouble(to, kind);
      return to;
    };
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
      sender: 'Sender',
      taken: ({ recipient, text }) =>
        gateway.all().filter((one) => one.to === recipient && one.text === text).length,
      refuses: troubled('refused'),
      refusesForNow: troubled('busy'),
      staysSilent: troubled('silence'),
      report: (id, state) => void gateway.report(id, state),
      write: async (message) => {
        const { status } = await gateway.write(
          `${calls.publicUrl}/api/providers/http-${name}/inbound`,
          message,
        );
        expect(status).toBe(200);
      },
      cut: async () => {
        await gateway.stop();
        await carrier.send(newOutgoing({ recipient: recipient() }));
        setTimeout(() => void gateway.start(), 100);
      },
      texts: [
        'a&b=c#d?e%20f+g "quoted" \'single\' <tag/> ]]> \\n {{to}} {{secret.apiKey}} $& $1',
        'line\r\nX-Injected: 1',
      ],
      close: async () => {
        await calls.close();
        await gateway.close();
      },
    };
  });

it.each([
  ['85261112222', '+85261112222'],
  ['0085261112222', '+85261112222'],
  ['+85261112222', '+85261112222'],
  // Of which country the number it came to says.
  ['61112222', '61112222'],
])('who writes as %s is %s', async (from, read) => {
  const { calls, gateway } = await openUnderTest('json-api', jsonStyle);
  const heard = listen();
  calls.hear(heard);
  await gateway.write(`${calls.publicUrl}/api/providers/http-json-api/inbound`, {
    from,
    to: '+85230001111',
    text: 'hi',
  });
  expect(heard.inbounds).toMatchObject([{ from: read }]);
  await calls.close();
  await gateway.close();
});

describe.each(STYLES)('the template %s', (name, style) => {
  const opened = async () => {
    const under = await openUnderTest(name, style);
    const heard = listen();
    under.calls.hear(heard);
    await under.carrier.open(heard);
    const close = async () => {
      await under.carrier.close(100);
      await under.calls.close();
      await under.gateway.close();
    };
    return { ...under, heard, close };
  };

  test.each(['broken', 'page', 'hang-up'] as const)(
    'an answer that is %s leaves it unknown: it was taken',
    async (kind) => {
      const { carrier, gateway, close } = await opened();
      const message = newOutgoing({ recipient: recipient() });
      gateway.trouble(message.recipient, kind);
      expect(await carrier.send(message)).toMatchObject({ outcome: 'unknown' });
      expect(gateway.all()).toHaveLength(1);
      await close();
    },
  );

  it('a gateway that is not there got nothing for certain', async () => {
    const { carrier, gateway, close } = await opened();
    await gateway.stop();
    expect(await carrier.send(newOutgoing({ recipient: recipient() }))).toMatchObject({
      outcome: 'refused',
      code: 'NOT_CONNECTED',
      retryable: true,
    });
    await gateway.start();
    await close();
  });

  it('names the error by the table, in the answer and in the report, and hands our id back', async () => {
    const { carrier, gateway, heard, close } = await opened();
    const refused = newOutgoing({ recipient: recipient() });
    gateway.trouble(refused.recipient, 'refused');
    expect(await carrier.send(refused)).toMatchObject({ code: 'INVALID_RECIPIENT', retryable: false });
    const message = newOutgoing({ recipient: recipient() });
    await carrier.send(message);
    const [sent] = gateway.all();
    expect((await gateway.report(sent?.id ?? '', 'failed')).status).toBe(200);
    const code = { 'json-api': 'UNREACHABLE', 'query-api': 'QUERY_API_42', 'xml-api': 'XML_API_7' }[name];
    expect(heard.receipts).toMatchObject([{ providerMessageId: sent?.id, state: 'failed', code }]);
    if (name !== 'json-api') expect(heard.receipts[0]?.messageId).toBe(message.id);
    await close();
  });

  it('a sender with a line break makes no header and no field of its own', async () => {
    const { carrier, gateway, close } = await opened();
    const message = newOutgoing({ recipient: recipient(), from: 'A&to=1\r\nx-evil: 1' });
    expect(await carrier.send(message)).toMatchObject({ outcome: 'accepted' });
    expect(gateway.all()).toMatchObject([
      { to: message.recipient, from: 'A&to=1\r\nx-evil: 1', text: message.text },
    ]);
    await close();
  });

  it('calls that are not the provider’s change nothing', async () => {
    const { calls, gateway, heard, carrier, close } = await opened();
    await carrier.send(newOutgoing({ recipient: recipient() }));
    const [sent] = gateway.all();
    if (!sent) throw new Error('nothing was sent');
    const told = style.report(sent, 'delivered');
    const forged = await fetch(told.url.replace(/token=[^&]*/, 'token=guess'), {
      ...told.init,
      headers: { ...told.init.headers, 'x-signature': 'sha256=00', 'x-api-key': 'Key guess' },
    });
    expect(forged.status).toBe(403);
    const empty = await fetch(`${calls.publicUrl}/api/providers/http-${name}/status`, {
      method: 'POST',
      body: '{}',
    });
    expect(empty.status).toBe(403);
    expect(heard.receipts).toEqual([]);
    await gateway.report(sent.id, 'delivered');
    expect(heard.receipts).toHaveLength(1);
    expect([...calls.told.lanes]).toEqual([`http-${name}`]);
    await close();
  });
});

it('keeps to its pace', async () => {
  const gateway = await startGateway(jsonStyle);
  const template = { ...templateOf('json-api', jsonStyle, gateway.url), perSecond: 20, window: 1_000 };
  const carrier = httpSmsCarrier({ template, openLink: linkTo });
  expect(carrier.window).toBe(100);
  await carrier.open(listen());
  const began = performance.now();
  await Promise.all(Array.from({ length: 11 }, () => carrier.send(newOutgoing({ recipient: recipient() }))));
  expect(performance.now() - began).toBeGreaterThan(480);
  expect(gateway.all().every(({ callback }) => callback === null)).toBe(true);
  await carrier.close(100);
  await gateway.close();
});
