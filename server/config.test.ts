import { expect, it } from 'vitest';
import { readConfig } from './config.ts';

it('has a safe default for everything', () => {
  const config = readConfig([], {});
  expect(config).toMatchObject({ HOST: '127.0.0.1', roles: ['web', 'worker', 'query'], TRUST_PROXY: [] });
  expect(config.DATA_DIR).toMatch(/\/data$/);
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
