import { expect, it } from 'vitest';
import type { SendOutcome } from '../../lanes/index.ts';
import { type Pause, pauseAfter } from './refusal-pause.ts';

const NOW = 1_000;
const BUSY = { outcome: 'refused', code: 'BUSY', reason: 'busy', retryable: true } as const;
const BEFORE: Pause = { refusals: 3, until: 900 };

it.each<[string, SendOutcome, number, Pause]>([
  [
    'an accepted message ends the row of refusals',
    { outcome: 'accepted', providerMessageId: 'a' },
    1,
    { refusals: 0, until: 900 },
  ],
  ['a final refusal says nothing of the next message', { ...BUSY, retryable: false }, 1, BEFORE],
  ['an unknown outcome neither', { outcome: 'unknown', reason: 'gone' }, 1, BEFORE],
  ['one that names its own time neither', { ...BUSY, notBefore: new Date(5_000) }, 1, BEFORE],
  ['each refusal doubles the pause of a window of one', BUSY, 1, { refusals: 4, until: NOW + 800 }],
  ['a window of four doubles it after four', BUSY, 4, { refusals: 4, until: NOW + 100 }],
])('%s', (_, outcome, window, after) => {
  expect(pauseAfter(BEFORE, outcome, { window, now: NOW })).toEqual(after);
});

it('a pause is five seconds at most', () => {
  expect(pauseAfter({ refusals: 1_000, until: 0 }, BUSY, { window: 1, now: NOW })).toEqual({
    refusals: 1_001,
    until: NOW + 5_000,
  });
});
