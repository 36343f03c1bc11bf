import { type ChildProcess, fork } from 'node:child_process';
import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createTransport } from 'nodemailer';
import type { AccountId } from '../contract/customer/accounts.ts';
import type { MessageId } from '../contract/traffic/messages.ts';
import { relayOptions, smtpRelay } from '../server/providers/smtp-relay/index.ts';

const SINK = fileURLToPath(new URL('../test/emulators/smtp-sink/smtp-sink-main.ts', import.meta.url));
const FROM = 'Posthorn <post@sender.example>';
export const CONNECTIONS = 5;
/** About a kilobyte in lines of usual length. */
const LINE = 'Dear customer, your parcel has left our house and will be with you soon.';
const TEXT = `${Array.from({ length: 13 }, () => LINE).join('\n')}\nReference `;
const SUBJECT = 'Your parcel is on its way';

export interface Dkim {
  domain: string;
  selector: string;
  key: KeyObject;
}

export const newDkim = (kind: 'rsa' | 'ed25519'): Dkim => ({
  domain: 'sender.example',
  selector: kind,
  key:
    kind === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
      : generateKeyPairSync('ed25519').privateKey,
});

/** A mail server as a separate process that counts what it accepts. */
export const startSink = async () => {
  const child: ChildProcess = fork(SINK, [], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  if (!child.stdout) throw new Error('the sink has no output');
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { url } = JSON.parse(line) as { url: string };
  const count = async (): Promise<number> => {
    const told = once(child, 'message');
    child.send('count');
    const [{ count, violations }] = (await told) as [{ count: number; violations: string[] }];
    if (violations.length > 0) throw new Error(`the sink objects: ${violations[0]}`);
    return count;
  };
  const close = async (): Promise<void> => {
    const gone = once(child, 'exit');
    child.kill();
    await gone;
  };
  return { url, count, close };
};
export type Sink = Awaited<ReturnType<typeof startSink>>;

/** Sends one message and waits until it is accepted. */
export interface Sender {
  send: (at: number) => Promise<void>;
  close: () => Promise<void>;
}

export const openPosthorn = async (url: string, dkim?: Dkim): Promise<Sender> => {
  const carrier = smtpRelay({
    relay: relayOptions(url, { connections: CONNECTIONS }),
    from: FROM,
    dkim: dkim ? [dkim] : [],
  });
  await carrier.open({ receipt: async () => {}, inbound: async () => {}, state: () => {} });
  const accountId = randomUUID() as AccountId;
  return {
    send: async (at) => {
      const said = await carrier.send({
        id: randomUUID() as MessageId,
        accountId,
        recipient: `customer${at}@example.com`,
        from: undefined,
        text: TEXT + at,
        subject: SUBJECT,
        html: undefined,
      });
      if (said.outcome !== 'accepted') throw new Error(`${said.outcome}: ${said.reason}`);
    },
    close: () => carrier.close(5_000),
  };
};

export const openNodemailer = async (url: string, dkim?: Dkim): Promise<Sender> => {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: CONNECTIONS,
    // As many as our own connections send before they are renewed.
    maxMessages: 500,
    ...(dkim && {
      dkim: {
        domainName: dkim.domain,
        keySelector: dkim.selector,
        privateKey: dkim.key.export({ format: 'pem', type: 'pkcs8' }).toString(),
      },
    }),
  });
  return {
    send: async (at) => {
      await transport.sendMail({
        from: FROM,
        to: `customer${at}@example.com`,
        subject: SUBJECT,
        text: TEXT + at,
      });
    },
    close: async () => transport.close(),
  };
};

/** Messages per second, with this many in flight; and the CPU of this process for each, in microseconds. */
export const runRound = async (
  { send }: Sender,
  sink: Sink,
  { messages, atOnce }: { messages: number; atOnce: number },
): Promise<{ perSecond: number; cpuMicros: number }> => {
  const before = await sink.count();
  const begun = performance.now();
  const cpu = process.cpuUsage();
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < messages; at = next++) await send(at);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const seconds = (performance.now() - begun) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  const taken = (await sink.count()) - before;
  if (taken !== messages) throw new Error(`${messages} were sent, ${taken} taken`);
  return { perSecond: messages / seconds, cpuMicros: (user + system) / messages };
};
