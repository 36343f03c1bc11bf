import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { openSilent, sendRaw } from '../load/raw-socket.ts';
import {
  type Attack,
  type AttackScene,
  ask,
  askAgain,
  bearer,
  formWith,
  noticed,
  session,
  testBearer,
  until,
} from './attack.ts';

const addressOf = (at: number): string => `203.0.113.${at % 250}`;

/** A file whose rows a text for all of them makes large. With the test secret the limit of a day would end it early. */
const expand = async (
  { url, attacker }: AttackScene,
  { channel, csv, fields }: { channel: string; csv: string; fields: Record<string, string> },
): Promise<string | undefined> => {
  const { status, reply } = await ask(url, `/api/${channel}/csvPreflight`, {
    headers: bearer(attacker),
    body: formWith(csv, fields),
  });
  return status < 500 || status === 503
    ? undefined
    : `it was answered with ${status}: ${JSON.stringify(reply)}`;
};

const oneRow = (scene: AttackScene, mark: string) =>
  askAgain(scene, () =>
    ask(scene.url, '/api/sms/csvPreflight', {
      headers: bearer(scene.victim),
      body: formWith(`phone,message\n+85261112222,hello ${mark} ${Date.now()}\n`, {}),
    }),
  );

const largeEmails = async (
  { url, attacker, sink }: AttackScene,
  html: string,
): Promise<string | undefined> => {
  const before = sink.count();
  const MAILS = 5;
  for (let at = 0; at < MAILS; at += 1) {
    const { status } = await ask(url, '/api/email/send', {
      headers: bearer(attacker),
      body: { phone: `large${at}@example.com`, message: 'x', subject: 'x', html },
    });
    if (status !== 200) return `an email was answered with ${status}`;
  }
  return (await until(() => sink.count() >= before + MAILS)) ? undefined : 'the emails never went out';
};

/** What an attack on a running copy once could do, and what must not happen any more. */
export const ATTACKS: readonly Attack[] = [
  {
    point: 1,
    title: 'placeholders of a CSV file that make gigabytes of 5 MB',
    run: (scene) => {
      const row = `a@example.com,${'x'.repeat(190_000)}\n`;
      return expand(scene, {
        channel: 'email',
        csv: `email,a\n${row.repeat(25)}`,
        fields: { html: '{{a}}'.repeat(300) },
      });
    },
  },
  {
    point: 1,
    title: 'rows of 30 bytes that make half a million characters each',
    long: true,
    run: (scene) => {
      const rows = Array.from({ length: 20_000 }, (_, at) => `a${at}@example.com,${'y'.repeat(24)}`);
      return expand(scene, {
        channel: 'email',
        csv: `email,a\n${rows.join('\n')}\n`,
        fields: { html: '{{a}}'.repeat(20_000) },
      });
    },
  },
  {
    point: 1,
    title: 'placeholders of SMS texts in 20,000 rows',
    long: true,
    run: (scene) => {
      const rows = Array.from({ length: 20_000 }, (_, at) => `+8526${1_000_000 + at},${'z'.repeat(5)}`);
      return expand(scene, {
        channel: 'sms',
        csv: `phone,a\n${rows.join('\n')}\n`,
        fields: { message: '{{a}}'.repeat(4_000) },
      });
    },
  },
  {
    point: 1,
    title: '20,000 placeholders for a cell that is blank but for one character',
    run: (scene) => {
      const row = `a@example.com,x${' '.repeat(190_000)}\n`;
      return expand(scene, {
        channel: 'email',
        csv: `email,a\n${row.repeat(25)}`,
        fields: { html: '{{a}}'.repeat(20_000) },
      });
    },
  },
  {
    point: 1,
    title: 'a free account that sends half a gigabyte with the test secret',
    long: true,
    run: async ({ url, newcomer }) => {
      const rows = Array.from({ length: 1_000 }, (_, at) => `a${at}@example.com,${'y'.repeat(24)}`);
      const { status } = await ask(url, '/api/email/csvSend', {
        headers: testBearer(await newcomer()),
        body: formWith(`email,a\n${rows.join('\n')}\n`, { html: '{{a}}'.repeat(20_000) }),
      });
      return status === 429 || status === 503 ? undefined : `it was answered with ${status}`;
    },
  },
  {
    point: 2,
    title: 'signed emails of 120,000 line ends',
    run: (scene) => largeEmails(scene, `<p>${'\r\n'.repeat(120_000)}</p>`),
  },
  {
    point: 2,
    title: 'signed emails of spaces, tabs and dots',
    long: true,
    run: (scene) => largeEmails(scene, `<p>${' \t'.repeat(100_000)}\r\n${'.\r\n'.repeat(90_000)}</p>`),
  },
  {
    point: 3,
    title: '300 silent uploads of strangers, and the file of a customer',
    run: async (scene) => {
      const silent = openSilent(scene.port, 300, (at) => {
        const head =
          'POST /api/sms/csvSend HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\n';
        return `${head}X-Forwarded-For: ${addressOf(at)}\r\nContent-Length: 1000000\r\n\r\n--b\r\nContent-Disposition: form-data; name="csv"; filename="a"\r\n\r\nphone`;
      });
      await sleep(1_000);
      const answer = await oneRow(scene, 'silent');
      silent.close();
      return noticed(scene, 'a file', answer);
    },
  },
  {
    point: 3,
    title: 'gigabytes of a webhook that are announced and held back, and the call of a customer',
    run: async (scene) => {
      const { url, port, victim } = scene;
      const start = (at: number): string =>
        `POST /api/providers/lanes/x/y HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${addressOf(at)}\r\nContent-Type: a/b\r\nContent-Length: 4194304\r\n\r\nx`;
      const silent = openSilent(port, 300, start);
      const isRefused = await until(async () => (await sendRaw(port, [start(0)], 1_000)).status === '503');
      const answer = await ask(url, '/api/sms/send', {
        from: addressOf(0),
        body: { secret: victim.secret, phone: '+85261112222', message: `held back ${Date.now()}` },
      });
      silent.close();
      return isRefused ? noticed(scene, 'a message', answer) : 'all of them were waited for';
    },
  },
  {
    point: 3,
    title: '500 connections with half of their headers',
    long: true,
    run: async (scene) => {
      const silent = openSilent(scene.port, 500, () => 'GET /api/startup HTTP/1.1\r\nHost: x\r\nX-Slow: ');
      await sleep(1_000);
      const answer = await ask(scene.url, '/api/startup', { from: '198.51.100.7' });
      silent.close();
      return noticed(scene, 'the first page', answer);
    },
  },
  {
    point: 3,
    title: '60 exports that their reader does not read, and that of a customer',
    run: async (scene) => {
      const { accountId, token } = scene.attacker;
      const request = `GET /api/account/${accountId}/messages.csv HTTP/1.1\r\nHost: x\r\nAuthorization: ${token}\r\n\r\n`;
      const silent = openSilent(scene.port, 60, () => request);
      await sleep(1_000);
      const own = `/api/account/${scene.victim.accountId}/messages.csv`;
      const answer = await askAgain(scene, () => ask(scene.url, own, { headers: session(scene.victim) }));
      silent.close();
      return noticed(scene, 'an export', answer);
    },
  },
  {
    point: 4,
    title: 'statements at once',
    run: async (scene) => {
      const own = `/api/account/${scene.attacker.accountId}/statement.pdf`;
      const all = Array.from({ length: scene.crowd / 2 }, () =>
        ask(scene.url, own, { headers: session(scene.attacker) }),
      );
      await sleep(300);
      const answer = await ask(scene.url, `/api/account/${scene.victim.accountId}/glance`, {
        headers: session(scene.victim),
      });
      const statuses = (await Promise.all(all)).map(({ status }) => status);
      const wrong = statuses.find((status) => status !== 200 && status !== 503 && status !== 429);
      return (
        noticed(scene, 'a page', answer) ??
        (wrong === undefined ? undefined : `a statement was answered with ${wrong}`)
      );
    },
  },
  {
    point: 5,
    title: 'anonymous sign-ins from many addresses, and that of a customer',
    run: async (scene) => {
      const { url, victim } = scene;
      const flood = Array.from({ length: scene.crowd }, (_, at) =>
        ask(url, '/api/account/login', {
          from: addressOf(at),
          body: { email: `nobody${at}@example.com`, password: 'a guess' },
        }),
      );
      const answer = await ask(url, '/api/account/login', {
        from: '198.51.100.7',
        body: { email: victim.email, password: victim.password },
      });
      const statuses = (await Promise.all(flood)).map(({ status }) => status);
      return (
        noticed(scene, 'a sign-in', answer) ??
        (statuses.includes(500) ? 'a sign-in was answered with 500' : undefined)
      );
    },
  },
  {
    point: 5,
    title: 'ten large free checks of one account, and the file of another',
    long: true,
    run: async (scene) => {
      const fileOf = (mark: number) =>
        `phone,message\n${Array.from({ length: 50_000 }, (_, at) => `+8526${1_000_000 + at},m ${mark}`).join('\n')}\n`;
      const flood = Array.from({ length: 10 }, (_, mark) =>
        ask(scene.url, '/api/sms/csvPreflight', {
          headers: testBearer(scene.attacker),
          body: formWith(fileOf(mark), {}),
        }),
      );
      await sleep(500);
      const answer = await oneRow(scene, 'beside');
      await Promise.all(flood);
      return noticed(scene, 'a file', answer);
    },
  },
  {
    point: 11,
    title: "wrong passwords and used-up mails by a stranger, and the owner's sign-in and reset",
    run: async (scene) => {
      const { url, victim, db } = scene;
      const { email, password } = victim;
      for (let at = 0; at < 15; at += 1) {
        await ask(url, '/api/account/login', {
          from: addressOf(at % 2),
          body: { email, password: 'a guess' },
        });
        await ask(url, '/api/account/register', {
          from: addressOf(at % 2),
          body: { email, password: 'a guess 123' },
        });
        await ask(url, '/api/account/forgotPassword', { from: addressOf(at % 2), body: { email } });
      }
      const signedIn = await ask(url, '/api/account/login', {
        from: '198.51.100.7',
        body: { email, password },
      });
      const reset = await ask(url, '/api/account/forgotPassword', { from: '198.51.100.7', body: { email } });
      const { rows } = await sql<{
        count: bigint;
      }>`select count(*) as count from accounts where email = ${email}`.execute(db);
      if (rows[0]?.count !== 1n) return 'there are two accounts with one email';
      return noticed(scene, 'a sign-in', signedIn) ?? noticed(scene, 'a reset', reset);
    },
  },
  {
    point: 12,
    title: 'the mailbox and the metrics, from here as it seems',
    run: async ({ url }) => {
      const disguises: Record<string, string>[] = [
        {},
        { 'x-forwarded-for': '127.0.0.1' },
        { 'x-forwarded-host': 'localhost', forwarded: 'for=127.0.0.1;host=localhost' },
        { authorization: 'Bearer ', 'x-mailbox-token': '' },
      ];
      for (const headers of disguises)
        for (const path of ['/api/mailbox', '/metrics', '/api/mailbox/a.eml']) {
          const { status } = await ask(url, path, { headers });
          if (status !== 404) return `${path} was answered with ${status}`;
        }
      return undefined;
    },
  },
  {
    point: 13,
    title: 'the API secrets by a session that was left open',
    run: async ({ url, victim, db }) => {
      await sql`update sessions set confirmed_at = now() - interval '1 hour' where account_id = ${victim.accountId}`.execute(
        db,
      );
      for (const what of ['apiInfo', 'webhook']) {
        const own = `/api/account/${victim.accountId}/${what}`;
        const { reply } = await ask(url, own, { headers: session(victim) });
        const text = JSON.stringify(reply);
        if (reply.masked !== true || text.includes(victim.secret) || /whsec_[\w+/]{20}/.test(text))
          return `${what} shows them`;
      }
      return undefined;
    },
  },
];
