import { expect, test } from 'vitest';
import { listEndpoints } from '../../test/webhooks/endpoints.ts';
import { openKnown } from './fuzz-known.ts';
import { openRequests } from './fuzz-requests.ts';
import type { FuzzOptions } from './fuzz-scene.ts';

const account = {
  accountId: '00000000-0000-4000-8000-000000000001',
  email: 'a@example.com',
  password: 'correct horse battery',
  token: 'token',
  secret: 'secret',
  testSecret: 'test secret',
};
const OWN = 60;
const options: FuzzOptions = {
  url: 'http://127.0.0.1:1',
  mailboxToken: 'token',
  webhookUrl: 'http://127.0.0.1:1/hook',
  seed: 1,
  requests: 1,
  seconds: 1,
  clients: 1,
  main: account,
  mains: [account],
  other: account,
  admin: account,
  rotating: account,
  signers: [account],
  closing: [],
  own: { laneId: OWN, priceId: OWN },
};

test('requests of every endpoint are made, and none changes a lane or a price of the installation', () => {
  const known = openKnown();
  for (let id = 1; id <= OWN; id += 1) {
    known.add('laneId', id);
    known.add('priceId', id);
  }
  const touched: string[] = [];
  for (const endpoint of listEndpoints()) {
    const make = openRequests(endpoint, options, known);
    const changes = endpoint.method !== 'GET' && /:(laneId|priceId)/.test(endpoint.path);
    for (let left = changes ? 500 : 50; left > 0; left -= 1) {
      const { path } = make() ?? { path: '' };
      const id = Number(decodeURIComponent(/\/(?:lanes|prices)\/([^/?]+)/.exec(path)?.[1] ?? ''));
      if (changes && id > 0 && id <= OWN) touched.push(path);
    }
  }
  expect(touched).toEqual([]);
});
