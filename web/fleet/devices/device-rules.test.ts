import { expect, test } from 'vitest';
import { DEVICE_COUNTRIES, DEVICE_TYPES } from '../../../contract/fleet/devices.ts';
import { COUNTRIES, TYPES } from './device-rules.ts';

test('every country and type of the contract can be chosen', () => {
  expect(COUNTRIES).toEqual(DEVICE_COUNTRIES);
  expect(TYPES).toEqual(DEVICE_TYPES);
});
