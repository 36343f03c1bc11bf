import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { readConfig } from '../config.ts';
import { readSmsLanes } from './lanes.ts';
import { enforceFindings, factsOf } from './safety.ts';
import type { Probes } from './safety-check.ts';
import { examine, SAFETY_CHECKS } from './safety-checks.ts';

const KEY = 'a'.repeat(64);
/** As README's list asks for it: nothing is found but advice about backups. */
const PRODUCTION = {
  DATABASE_URL: 'postgres://user:hunter2@db.example/posthorn?sslmode=verify-full',
  SECRET_KEY: KEY,
  PUBLIC_URL: 'https://posthorn.example',
  TRUST_PROXY: '10.0.0.1',
  SMTP_URL: 'smtps://user:hunter2@mail.example',
  MAIL_FROM: 'Posthorn <no-reply@posthorn.example>',
  EMAIL_FROM: 'News <news@send.example>',
  EMAIL_BOUNCE_DOMAIN: 'bounce.example',
  EMAIL_BOUNCE_PORT: '2525',
  SMPP_URLS: 'smpp://user:hunter2@smsc.example:2775',
  STRIPE_SECRET_KEY: 'sk_live_hunter2hunter2',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_1234567890',
  STRIPE_WEBHOOK_SECRET: 'whsec_hunter2hunter2',
  METRICS_TOKEN: 'hunter2hunter2hunter2',
  CONTACT_EMAIL: 'help@posthorn.example',
};
const SOUND: Probes = {
  dataDirMode: 0o700,
  keyFileMode: 0o600,
  freeBytes: 100 * 1024 ** 3,
  clockAheadMs: 20,
  isRoot: false,
};

const find = (env: Record<string, string>, probes: Partial<Probes> = {}) => {
  const config = readConfig([], env);
  const facts = factsOf(config, { sms: readSmsLanes(config), clockAheadMs: undefined });
  return examine({ ...facts, probes: { ...SOUND, ...probes } });
};
const faults = (...given: Parameters<typeof find>) =>
  find(...given).filter(({ level }) => level !== 'advice');

test('settings for trying out on one’s own machine are fine', () => {
  expect(find({})).toEqual([]);
  expect(find({ LIMITS_FACTOR: '1000', WEBHOOKS_ALLOW_PRIVATE: 'true' }, { dataDirMode: 0o755 })).toEqual([]);
});

test('what README asks for is safe', () => {
  expect(faults(PRODUCTION)).toEqual([]);
});

const CASES: [title: string, env: Record<string, string>, said: RegExp][] = [
  ['Database', { DATABASE_URL: '' }, /embedded database/],
  ['Database', { DATABASE_URL: 'postgres://user:x@db.example/posthorn' }, /not encrypted/],
  ['Key and backups', { SECRET_KEY: '' }, /only in a file/],
  ['Public address', { PUBLIC_URL: '' }, /not set or names this machine/],
  ['Public address', { PUBLIC_URL: 'http://localhost:3000' }, /not set or names this machine/],
  ['Public address', { PUBLIC_URL: 'http://posthorn.example' }, /not https/],
  ['Proxy', { TRUST_PROXY: '' }, /all callers look like one/],
  ['Proxy', { TRUST_PROXY: '10.0.0.1,0.0.0.0/0' }, /trusts everybody/],
  ["The program's own mails", { SMTP_URL: '' }, /stay in a folder/],
  ["The program's own mails", { MAIL_FROM: 'Posthorn <no-reply@localhost>' }, /at localhost/],
  ['Cards', { STRIPE_SECRET_KEY: 'sk_test_hunter2hunter2' }, /keys are for tests/],
  ['Cards', { STRIPE_API_BASE: 'http://127.0.0.1:1' }, /elsewhere than to Stripe/],
  ['Limits', { LIMITS_FACTOR: '1000' }, /guessed 1000 times/],
  ['Limits', { WEBHOOKS_ALLOW_PRIVATE: 'true' }, /own network/],
  ['Monitoring', { LOG_LEVEL: 'silent' }, /leave no trace/],
  ['What the pages promise', { RETENTION: 'off' }, /longer than the privacy text/],
];

test.each(CASES)('%s: %o', (title, env, said) => {
  const found = faults({ ...PRODUCTION, ...env });
  expect(found.map((one) => one.title)).toEqual([title]);
  expect(found[0]?.sentence).toMatch(said);
  expect(found[0]?.remedy).toMatch(/\.$/);
});

test('an email channel that sends from the address of the password mails is refused', () => {
  expect(() => find({ ...PRODUCTION, EMAIL_FROM: 'NO-REPLY@posthorn.example' })).toThrow(
    /differ from MAIL_FROM/,
  );
});

test('real ways out and no card processor', () => {
  const cards = { STRIPE_SECRET_KEY: '', STRIPE_PUBLISHABLE_KEY: '', STRIPE_WEBHOOK_SECRET: '' };
  const { SMPP_URLS: _, SMTP_URL: __, ...rest } = PRODUCTION;
  expect(faults({ ...PRODUCTION, ...cards }).map(({ title }) => title)).toEqual(['Cards']);
  expect(faults({ ...rest, ...cards }).map(({ title }) => title)).toEqual(["The program's own mails"]);
});

test.each<[string, Partial<Probes>, RegExp]>([
  ['Data folder', { dataDirMode: 0o755 }, /Other users/],
  ['Data folder', { keyFileMode: 0o644 }, /secret\.key/],
  ['Data folder', { freeBytes: 1024 ** 3 }, /1\.0 GB left/],
  ['Clock', { clockAheadMs: -61_000 }, /differ by 61 s/],
])('%s: %o', (title, probes, said) => {
  const found = faults(PRODUCTION, probes);
  expect(found.map((one) => one.title)).toEqual([title]);
  expect(found[0]?.sentence).toMatch(said);
});

test('no finding repeats a secret', () => {
  const all = [...CASES.map(([, env]) => env), { STRIPE_SECRET_KEY: 'sk_test_hunter2hunter2' }].flatMap(
    (env) => find({ ...PRODUCTION, ...env }, { dataDirMode: 0o777, isRoot: true }),
  );
  expect(JSON.stringify(all)).not.toMatch(/hunter2|aaaaaaaa/);
});

test('README lists every item in its order', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const part = readme.split('## Going to production')[1]?.split('\n## ')[0] ?? '';
  const items = [...part.matchAll(/^- \[ \] \*\*(.+?)\*\*/gm)].map(([, title]) => title);
  expect(items).toEqual(SAFETY_CHECKS.map(({ title }) => title));
});

test('the start warns of what is unsafe, says no advice, and refuses what must not run', () => {
  const outputs = { log: { warn: vi.fn() }, say: vi.fn() };
  enforceFindings(find({ ...PRODUCTION, SECRET_KEY: '' }), outputs);
  expect(outputs.say.mock.calls.flat()).toEqual([
    expect.stringMatching(/^unsafe: The key that seals API secrets .* Set SECRET_KEY/),
  ]);
  expect(outputs.log.warn).toHaveBeenCalledOnce();
  const trusting = find({ ...PRODUCTION, TRUST_PROXY: '::/0' });
  expect(() => enforceFindings(trusting, outputs)).toThrow(/trusts everybody.*Name the addresses/);
});
