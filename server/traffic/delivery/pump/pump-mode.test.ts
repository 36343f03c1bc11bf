import { expect, it } from 'vitest';
import {
  type Backlog,
  IDLE_MS,
  NOTHING_KNOWN,
  nextMode,
  type PumpFacts,
  type PumpMode,
  waitMs,
} from './pump-mode.ts';

const NOW = 1_000_000;
const NEVER = Number.POSITIVE_INFINITY;
/** A carrier that takes messages, of which none is claimed. */
const FACTS: PumpFacts = {
  now: NOW,
  pollMs: 1_000,
  hasClaimed: false,
  mayGo: true,
  pausedUntil: 0,
  throttledMs: NEVER,
  isLow: true,
  urgentRoom: 10,
  urgentLeft: false,
  urgentInMs: 0,
  restMs: 0,
  straysAt: NEVER,
};
const PAUSED = { mayGo: false, pausedUntil: NOW + 200 };
const FULL = { isLow: false, hasClaimed: true };

type Case = [what: string, Partial<Backlog>, Partial<PumpFacts>, PumpMode, waitMs: number];

it.each<Case>([
  ['nothing is known to wait', {}, {}, 'WAITING', IDLE_MS],
  ['nothing waits, and something is in flight', {}, { hasClaimed: true }, 'WAITING', 1_000],
  ['a failed claim is looked for once more', {}, { straysAt: NOW + 60_000 }, 'WAITING', 60_000],
  ['the last claim said when to ask again', { askAt: NOW + 30 }, {}, 'WAITING', 30],
  ['that time has come', { askAt: NOW }, {}, 'CLAIM', 0],
  ['more waits', { more: true }, {}, 'CLAIM', 0],
  ['something was put back', { fresh: true }, {}, 'CLAIM', 0],
  ['more singles wait than were claimed', {}, { urgentLeft: true }, 'CLAIM', 0],
  ['more waits, and the claims rest', { more: true }, { restMs: 7 }, 'WAITING', 7],
  ['the claims rest longer than until the next time', { askAt: NOW + 5 }, { restMs: 7 }, 'WAITING', 7],
  ['something new came', { woken: true }, {}, 'CLAIM_SINGLES', 0],
  ['something new came that is not only singles', { woken: true, fresh: true }, {}, 'CLAIM_SINGLES', 0],
  ['singles rest, the others do not', { woken: true, fresh: true }, { urgentInMs: 4 }, 'CLAIM', 0],
  ['singles rest', { woken: true }, { urgentInMs: 4 }, 'WAITING', 4],
  [
    'there is no room for singles, but for others',
    { woken: true, more: true },
    { urgentRoom: 0 },
    'CLAIM',
    0,
  ],
  ['enough is claimed', { more: true }, FULL, 'FULL', 1_000],
  ['enough is claimed, but a single overtakes it', { more: true, woken: true }, FULL, 'CLAIM_SINGLES', 0],
  ['enough is claimed, and singles rest', { woken: true }, { ...FULL, urgentInMs: 4 }, 'FULL', 4],
  ['enough is claimed, and no single more', { woken: true }, { ...FULL, urgentRoom: 0 }, 'FULL', 1_000],
  ['the carrier refuses for the moment', { more: true, woken: true }, PAUSED, 'PAUSED', 201],
  ['it refuses for long', { more: true }, { ...PAUSED, pausedUntil: NOW + 5_000 }, 'PAUSED', 1_000],
  ['the carrier is down', { more: true, woken: true }, { mayGo: false }, 'BLOCKED', IDLE_MS],
  ['it is down with claimed messages', { more: true }, { mayGo: false, hasClaimed: true }, 'BLOCKED', 1_000],
  ['the throttle lets nothing out', { more: true }, { mayGo: false, throttledMs: 40 }, 'BLOCKED', 40],
  ['it would for a moment', {}, { mayGo: false, throttledMs: 0.2 }, 'BLOCKED', 1],
])('%s', (_, known, facts, mode, ms) => {
  const backlog = { ...NOTHING_KNOWN, ...known };
  const at = { ...FACTS, ...facts };
  expect(nextMode('WAITING', backlog, at)).toBe(mode);
  expect(waitMs(mode, backlog, at)).toBe(ms);
});

it('a pump that is over stays so, whatever waits, and waits for nothing', () => {
  const backlog = { ...NOTHING_KNOWN, more: true, woken: true, fresh: true };
  expect(nextMode('OVER', backlog, FACTS)).toBe('OVER');
  expect(waitMs('OVER', backlog, FACTS)).toBe(0);
});
