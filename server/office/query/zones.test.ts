import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readZones } from './index.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posthorn-zones-'));
});
afterAll(() => rm(folder, { recursive: true }));

const ZONE = { id: 1, name: 'HK', engine: 'postgres', host: 'db.example', user: 'reader' };
const read = async (content: unknown, env: Record<string, string> = {}) => {
  const path = join(folder, 'zones.json');
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return readZones(path, (name) => env[name]);
};

test('a password comes from the environment', async () => {
  const zones = [{ ...ZONE, password: { env: 'HK_PASSWORD' } }];
  expect(await read({ zones }, { HK_PASSWORD: 'secret' })).toMatchObject([
    { id: 1, password: 'secret', databases: [], secret: [], tls: false },
  ]);
  await expect(read({ zones })).rejects.toThrow('zones.json: zone 1: the environment has no HK_PASSWORD');
});

test('a fault is told with its place', async () => {
  await expect(read('{')).rejects.toThrow(/^zones\.json: /);
  await expect(read({ zones: [{ ...ZONE, engine: 'oracle' }] })).rejects.toThrow('zones.0.engine');
  await expect(read({ zones: [{ ...ZONE, pasword: 'x' }] })).rejects.toThrow('pasword');
  await expect(read({ zones: [{ ...ZONE, secret: ['password_hash'] }] })).rejects.toThrow(
    'must be database.schema.table.column',
  );
  await expect(read({ zones: [ZONE, ZONE] })).rejects.toThrow('the zone 1 is there twice');
});

test('the program may mask what is secret, in either engine', async () => {
  const zones = [
    { ...ZONE, mask: 'program' },
    { ...ZONE, id: 2, engine: 'mysql', mask: 'program' },
  ];
  expect((await read({ zones })).map(({ mask }) => mask)).toEqual(['program', 'program']);
});
