import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lineUrl } from './line/open-line.ts';
import { readSettings } from './settings.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agent-settings-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('modems are named on the command line', () => {
  const read = readSettings([
    ...['--server', 'https://posthorn.example', '--key', 'k', '--folder', folder],
    ...['--modem', 'a=serial:/dev/ttyUSB0', '--modem', 'b=gammu:/dev/ttyUSB1'],
    ...['--modem', 'c=android:http://me:p%40ss@192.168.1.20:8080'],
  ]);
  expect(read).toMatchObject({
    server: 'https://posthorn.example',
    key: 'k',
    modems: [
      { name: 'a', driver: 'serial', path: '/dev/ttyUSB0', baudRate: 115_200 },
      { name: 'b', driver: 'gammu', path: '/dev/ttyUSB1', connection: 'at115200' },
      { name: 'c', driver: 'android', url: 'http://192.168.1.20:8080', username: 'me', password: 'p@ss' },
    ],
  });
});

test('the file of the folder is read, and arguments win over it', () => {
  const modems = [{ name: 'a', driver: 'serial', path: '/dev/ttyUSB0', pin: '1234' }];
  writeFileSync(
    join(folder, 'agent.json'),
    JSON.stringify({ server: 'https://one.example', name: 'shop', modems }),
  );
  expect(readSettings(['--folder', folder, '--server', 'https://two.example'])).toMatchObject({
    server: 'https://two.example',
    name: 'shop',
    modems: [{ pin: '1234' }],
  });
});

test.each([
  [['--modem', 'a=serial:/dev/x'], '--server'],
  [['--server', 'https://x.example', '--modem', 'a=usb:/dev/x'], '--modem a is not'],
  [
    ['--server', 'https://x.example', '--modem', 'a=serial:/x', '--modem', 'a=serial:/y'],
    'a name of its own',
  ],
  [['--server', 'https://x.example', '--what'], 'what'],
  [['--settings', '/nowhere.json'], "can't be read"],
])('%j is refused in a sentence', (args, sentence) => {
  expect(() => readSettings(['--folder', folder, ...args])).toThrow(sentence);
});

test('texts travel encrypted, but for this machine', () => {
  expect(lineUrl('https://posthorn.example')).toBe('wss://posthorn.example/api/agents/connect');
  expect(lineUrl('http://127.0.0.1:3000/')).toBe('ws://127.0.0.1:3000/api/agents/connect');
  expect(lineUrl('http://10.0.0.1', { insecure: true })).toBe('ws://10.0.0.1/api/agents/connect');
  expect(() => lineUrl('http://10.0.0.1')).toThrow('not encrypted');
  expect(() => lineUrl('ftp://10.0.0.1')).toThrow('no address');
});
