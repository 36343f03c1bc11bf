import { expect, test } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { limitAskers } from './ask.ts';

const anna = '0198a000-0000-7000-8000-000000000001' as AccountId;
const asker = (hungUp = new AbortController().signal) => ({ accountId: anna, hungUp });

test('who leaves while an older statement ends is told at once, and whoever comes next still waits for that', async () => {
  const turns = limitAskers();
  const older = await turns.begin(asker());
  const leaving = new AbortController();
  const left = turns.begin(asker(leaving.signal));
  leaving.abort();
  const gone = await left;
  expect(gone).toMatchObject({ kind: 'turn', signal: { aborted: true } });
  if (gone.kind === 'turn') gone.end();

  let begun = false;
  const next = turns.begin(asker()).then((turn) => {
    begun = true;
    return turn;
  });
  await new Promise(setImmediate);
  expect(begun).toBe(false);
  if (older.kind === 'turn') older.end();
  expect(await next).toMatchObject({ kind: 'turn', signal: { aborted: false } });
});
