import { beforeAll, expect, it, vi } from 'vitest';
import { changeOf, draftOf, faultsOf } from './auto-charge-draft.ts';

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
  expect(faultsOf({ ...draftOf(off), on: true, cap: 'x' }, {})).toEqual({
    amount: undefined,
    threshold: undefined,
    cap: '[amount.INVALID]',
  });
});
