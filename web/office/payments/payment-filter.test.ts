import { expect, test } from 'vitest';
import { readPaymentFilter } from './payment-filter.ts';

test('of an address only what is searched by is taken, without blanks', () => {
  expect(
    readPaymentFilter({
      email: ' a@b.c ',
      last4: '',
      amount: ' ',
      ref: 'pi_1',
      other: 'x',
      type: ['TOP_UP'],
    }),
  ).toEqual({ email: 'a@b.c', ref: 'pi_1' });
});
