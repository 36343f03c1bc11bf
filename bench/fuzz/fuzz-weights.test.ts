import { expect, test } from 'vitest';
import { listEndpoints } from '../../test/webhooks/endpoints.ts';
import { openRandom } from './fuzz-random.ts';
import { openTurns, weightOf } from './fuzz-weights.ts';

test('each has one turn first, then as many in a round as its weight says', () => {
  const next = openTurns([3, 1, 2], openRandom(1));
  const turns = (count: number) => Array.from({ length: count }, next).toSorted();
  expect(turns(3)).toEqual([0, 1, 2]);
  expect(turns(6)).toEqual([0, 0, 0, 1, 2, 2]);
  expect(turns(6)).toEqual([0, 0, 0, 1, 2, 2]);
});

test('calls that hash a password, files and uploads are made less often than others', () => {
  const weights = new Map(listEndpoints().map((endpoint) => [endpoint.name, weightOf(endpoint)]));
  for (const name of [
    'POST /account/login',
    'POST /account/register',
    'POST /admin/payments/:paymentId/refund',
  ])
    expect(weights.get(name), name).toBe(2);
  expect(weights.get('GET /account/:accountId/messages')).toBe(100);
  const share = [...weights.values()].filter((weight) => weight === 100).length / weights.size;
  expect(share).toBeGreaterThan(0.6);
});
