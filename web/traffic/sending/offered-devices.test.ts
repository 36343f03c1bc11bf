import { beforeAll, expect, test } from 'vitest';
import { setTexts } from '../../ground/i18n/translate.ts';
import { deviceOf, offeredDevices } from './offered-devices.ts';

const own = (deviceId: string, canSend = true) => ({
  deviceId,
  phoneNumber: '+85261110001',
  simulated: false,
  canSend,
});
const NONE = { available: false, simulated: false };
const CLOUD = { available: true, simulated: false };
const values = (...given: Parameters<typeof offeredDevices>) =>
  offeredDevices(...given).map(({ value }) => value);

beforeAll(() => setTexts({}));

test('devices that can send are offered, then what the operator has set up', () => {
  expect(values([own('wa-1'), own('wa-2', false)], CLOUD)).toEqual(['wa-1', 'business']);
  expect(values([], { available: true, simulated: true })).toEqual(['simulator']);
  expect(values([own('wa-1', false)], NONE)).toEqual([]);
});

test('the only device is chosen already, and one that stopped is chosen no longer', () => {
  const chosen = (device: string | undefined, devices: ReturnType<typeof own>[], operators = CLOUD) =>
    deviceOf(device, offeredDevices(devices, operators));
  expect(chosen(undefined, [])).toBe('business');
  expect(chosen(undefined, [own('wa-1')])).toBe('wa-1');
  expect(chosen(undefined, [own('wa-1'), own('wa-2')])).toBe('');
  expect(chosen('wa-2', [own('wa-1'), own('wa-2')])).toBe('wa-2');
  expect(chosen('wa-2', [own('wa-1'), own('wa-2', false)])).toBe('wa-1');
  expect(chosen('', [own('wa-1')])).toBe('');
  expect(chosen(undefined, [], NONE)).toBe('');
});
