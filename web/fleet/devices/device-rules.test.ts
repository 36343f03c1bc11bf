import { expect, test } from 'vitest';
import { DEVICE_COUNTRIES, DEVICE_TYPES } from '../../../contract/fleet/devices.ts';
import { COUNTRIES, OFFERED_TYPES } from './device-rules.ts';

test('every country and type of the contract can be chosen', () => {
  expect(COUNTRIES).toEqual(DEVICE_COUNTRIES);
  expect(OFFERED_TYPES).toEqual(DEVICE_TYPES);
});
