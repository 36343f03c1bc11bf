import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PROVIDER_SECTIONS, readConfig } from './config.ts';

it('has a safe default for everything', () => {
  const config = readConfig([], {});
  expect(config).toMatchObject({ HOST: '127.0.0.1', roles: ['web', 'worker', 'query'], TRUST_PROXY: [] });
  expect(config.DATA_DIR).toMatch(/\/data$/);
});

it("knows every provider's section, so that no secret in one is repeated", async () => {
  const files = globSync('providers/*/settings.ts', { cwd: import.meta.dirname });
  const sections = await Promise.all(
    files.map(async (file) => Object.values(await import(join(import.meta.dirname, file)))),
  );
  expect(PROVIDER_SECTIONS.length).toBe(files.length);
  for (const section of sections.flat()) {
    expect(PROVIDER_SECTIONS).toContain(section);
    for (const name of Object.keys((section as { shape: object }).shape))
      expect(() => readConfig([], { LOG_LEVEL: 'loud', [name]: '\0' }), name).toThrow(`LOG_LEVEL`);
  }
});

it('tells every fault at once, and repeats no secret', () => {
  const read = () =>
    readConfig(['--roles', 'web,moon'], {
      PORT: '99999',
      DATABASE_URL: 'mysql://user:hunter2@host/db',
      SECRET_KEY: 'hunter2',
      LOG_LEVEL: 'loud',
      PUBLIC_URL: 'example.com',
    });
  expect(read).toThrow(/--roles .*PORT .*DATABASE_URL .*PUBLIC_URL .*SECRET_KEY .*LOG_LEVEL/s);
  expect(read).not.toThrow(/hunter2/);
});

it('an empty setting counts as not set, a list is split at commas', () => {
  const config = readConfig(['--roles=worker'], { SMTP_URL: '', TRUST_PROXY: '10.0.0.1, 10.0.0.2' });
  expect(config.SMTP_URL).toBeUndefined();
  expect(config.TRUST_PROXY).toEqual(['10.0.0.1', '10.0.0.2']);
  expect(config.roles).toEqual(['worker']);
});

it('Twilio needs its account, its token and a sender; what is secret is not repeated', () => {
  const sid = (prefix: string) => prefix + '0'.repeat(32);
  const whole = {
    TWILIO_ACCOUNT_SID: sid('AC'),
    TWILIO_AUTH_TOKEN: 'hunter2hunter2',
    TWILIO_FROM: '+15005550006',
  };
  expect(readConfig([], whole)).toMatchObject({ ...whole, TWILIO_WINDOW: 20 });
  for (const { without, fault } of [
    { without: 'TWILIO_AUTH_TOKEN', fault: /TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN must be set/ },
    { without: 'TWILIO_FROM', fault: /TWILIO_FROM or TWILIO_MESSAGING_SERVICE_SID must be set too/ },
  ])
    expect(() => readConfig([], { ...whole, [without]: '' })).toThrow(fault);
  expect(() => readConfig([], { ...whole, TWILIO_API_KEY: sid('SK') })).toThrow(/must be set together/);
  expect(() => readConfig([], { ...whole, TWILIO_FROM: 'A name of 16 ch.' })).toThrow(
    /TWILIO_FROM must be a number/,
  );
  const short = () => readConfig([], { ...whole, TWILIO_AUTH_TOKEN: 'hunter2' });
  expect(short).toThrow(/TWILIO_AUTH_TOKEN must be/);
  expect(short).not.toThrow(/hunter2/);
});

it.each([
  [{ EMAIL_DKIM_DOMAIN: 'example.com' }, /EMAIL_DKIM_DOMAIN, .* must be set together/],
  [
    { EMAIL_DKIM_DOMAIN: 'example.com', EMAIL_DKIM_SELECTOR: 'a,b', EMAIL_DKIM_KEY_FILE: 'a.pem' },
    /one file a selector/,
  ],
  [{ EMAIL_BOUNCE_PORT: '2525' }, /EMAIL_BOUNCE_DOMAIN must be set too/],
  [{ EMAIL_SMTP_URL: 'smtp://mail.example' }, /EMAIL_FROM must be set too/],
  [{ EMAIL_BOUNCE_DOMAIN: 'a b' }, /EMAIL_BOUNCE_DOMAIN must be a domain/],
  [{ EMAIL_SMTP_URL: 'hunter2' }, /EMAIL_SMTP_URL must be an address that begins with smtp:(?!.*hunter2)/],
])('settings of emails that lack a part are told: %j', (env, fault) => {
  expect(() => readConfig([], env)).toThrow(fault);
});
