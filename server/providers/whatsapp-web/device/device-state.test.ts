import { expect, test } from 'vitest';
import type { Pairing } from '../../../fleet/devices/driver.ts';
import { type Mode, mayComeUp, maySend, nextStep } from './device-state.ts';

const MODES: Mode[] = ['OPEN', 'LOGGING_OUT', 'ENDED', 'CLOSING'];
const pairing: Pairing = { kind: 'qr', text: '2@a', expiresAt: new Date(0), attempt: 1, attempts: 6 };
const NOTHING = { kind: 'nothing' };
const ANSWER = { kind: 'answerLogOut' };

type Told = Parameters<typeof nextStep>[1];
const lost = (why: string): Told => ({ kind: 'lost', why });
const giveUp = (why: string) => ({ kind: 'giveUp', why });
const always = (step: object) => [step, step, step, step];

test.each<[string, Told, { paired: boolean }, object[]]>([
  [
    'a code is shown',
    { kind: 'pairing', pairing },
    { paired: false },
    always({ kind: 'showPairing', pairing }),
  ],
  [
    'a code of a device that was paired ends it',
    { kind: 'pairing', pairing },
    { paired: true },
    [giveUp('LOGGED_OUT'), ANSWER, ANSWER, ANSWER],
  ],
  [
    'the last code was used by nobody',
    { kind: 'pairing', pairing: undefined },
    { paired: false },
    [giveUp('PAIRING_UNUSED'), NOTHING, NOTHING, NOTHING],
  ],
  [
    'its phone ended the link',
    lost('LOGOUT'),
    { paired: true },
    [giveUp('LOGGED_OUT'), ANSWER, ANSWER, ANSWER],
  ],
  ['it is banned', lost('TOS_BLOCK'), { paired: true }, [giveUp('BANNED'), NOTHING, NOTHING, NOTHING]],
  [
    'a connection may come back',
    lost('NAVIGATION'),
    { paired: true },
    always({ kind: 'restart', reason: 'NAVIGATION' }),
  ],
  ['it was logged out as asked', { kind: 'loggedOut' }, { paired: true }, always(ANSWER)],
])('%s, by mode', (_, told, { paired }, steps) => {
  expect(MODES.map((mode) => nextStep({ mode, paired }, told))).toEqual(steps);
});

test('it comes up while it is open or being logged out', () => {
  expect(MODES.filter(mayComeUp)).toEqual(['OPEN', 'LOGGING_OUT']);
});

test.each<[string, Parameters<typeof maySend>[1], boolean[]]>([
  ['before its file is fetched', undefined, [true, true, true, false]],
  ['with its file', { file: {} }, [true, true, true, false]],
  ['without a file', { file: undefined }, [true, true, true, true]],
])('a message %s may be sent while it is up, by mode', (_, prepared, expected) => {
  expect(MODES.map((mode) => maySend({ mode, up: true }, prepared))).toEqual(expected);
  expect(MODES.map((mode) => maySend({ mode, up: false }, prepared))).toEqual(MODES.map(() => false));
});
