import { beforeAll, expect, it, vi } from 'vitest';
import type { ErrorCode } from '../../../contract/ground/errors.ts';
import { ApiError } from '../../ground/api/api-error.ts';
import { autoChargeFaults, changeOf, draftOf, fieldRefusal } from './auto-charge-draft.ts';

beforeAll(() => vi.stubGlobal('localStorage', { getItem: () => null }));

const off = {
  autoCharge: false,
  autoChargeAmount: null,
  cardId: null,
  autoChargeThreshold: 5,
  autoChargeDailyCap: 200,
  autoChargeStopped: '',
};
const on = { ...off, autoCharge: true, autoChargeAmount: 25, cardId: 'card-1' };
const bounds = { minimum: 6.41, maximum: 10_000 };

it('on without an amount or without a card saves nothing', () => {
  const draft = { ...draftOf(off), on: true };
  expect(changeOf(draft, off, bounds)).toBeUndefined();
  expect(changeOf({ ...draft, amount: '25' }, off, bounds)).toBeUndefined();
  expect(changeOf({ ...draft, cardId: 'card-1' }, off, bounds)).toBeUndefined();
  expect(changeOf({ ...draft, amount: '0', cardId: 'card-1' }, off, bounds)).toBeUndefined();
});

it('on with both saves both, the amount as a number', () => {
  const draft = { ...draftOf(off), on: true, amount: '25.50', cardId: 'card-1' };
  expect(changeOf(draft, off, bounds)).toEqual({
    autoCharge: true,
    autoChargeAmount: 25.5,
    cardId: 'card-1',
  });
});

it('off saves only the off', () => {
  expect(changeOf({ ...draftOf(on), on: false }, on, bounds)).toEqual({ autoCharge: false });
});

it('what the server has already is not saved again', () => {
  expect(changeOf({ ...draftOf(on), amount: '25' }, on, bounds)).toBeUndefined();
});

it('threshold and cap travel only when they were changed', () => {
  expect(changeOf({ ...draftOf(on), cap: '100' }, on, bounds)).toEqual({
    autoCharge: true,
    autoChargeAmount: 25,
    cardId: 'card-1',
    autoChargeDailyCap: 100,
  });
});

it('an amount that is still missing is no fault, a cap that is none is one', () => {
  expect(autoChargeFaults({ ...draftOf(off), on: true, cap: 'x' }, off, {})).toEqual({
    amount: undefined,
    threshold: undefined,
    cap: '[amount.INVALID]',
  });
});

it('a new cap below the amount is a fault and is not sent', () => {
  const draft = { ...draftOf(on), cap: '24.99' };
  expect(autoChargeFaults(draft, on, bounds).cap).toBe('[settings.daily_cap_too_low]');
  expect(changeOf(draft, on, bounds)).toBeUndefined();
  expect(autoChargeFaults({ ...draft, cap: '25' }, on, bounds).cap).toBeUndefined();
});

it('an amount above a cap that was not changed is left to the server, which knows whether it is the default', () => {
  const draft = { ...draftOf(on), amount: '300' };
  expect(autoChargeFaults(draft, on, bounds).cap).toBeUndefined();
  expect(changeOf(draft, on, bounds)).toEqual({ autoCharge: true, autoChargeAmount: 300, cardId: 'card-1' });
});

const same = { autoCharge: true, autoChargeAmount: 25, cardId: 'card-1' } as const;

it.each([
  ['E_DAILY_CAP_TOO_LOW', { ...same, autoChargeAmount: 300 }, { cap: 'No.' }],
  ['E_CARD_UNKNOWN', same, { card: 'No.' }],
  ['E_AMOUNT_TOO_SMALL', { ...same, autoChargeAmount: 1 }, { amount: 'No.' }],
  ['E_AMOUNT_TOO_LARGE', { ...same, autoChargeDailyCap: 20_000 }, { cap: 'No.' }],
  ['E_AMOUNT_TOO_LARGE', { ...same, autoChargeThreshold: 20_000 }, { threshold: 'No.' }],
  ['E_UNAVAILABLE', same, {}],
] as const)('%s of %j stands at its field', (code: ErrorCode, change, faults) => {
  const refusal = new ApiError({ code, message: 'No.', status: 400, requestId: 'r1' });
  expect(fieldRefusal(refusal, change, on)).toEqual(faults);
});
