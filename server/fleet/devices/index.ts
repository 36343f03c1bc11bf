export { closeDevices } from './close-devices.ts';
export { sweepDeleted } from './delete-device.ts';
export { openDeviceCarrier } from './device-carrier.ts';
export { deviceMedia } from './device-media.ts';
export type { DevicesDeps } from './devices-deps.ts';
export type {
  DeviceDriver,
  DeviceEnd,
  DeviceSurroundings,
  DrivenDevice,
  FetchFile,
  Pairing,
} from './driver.ts';
export { CAREFUL, type GovernorPolicy } from './governor.ts';
export { openOwnDevices } from './own-devices.ts';
export { readHold } from './read-hold.ts';
export { adminDeviceRoutes, deviceRoutes } from './routes.ts';
export { listDeviceFacts } from './store.ts';
export { deviceTasks } from './tasks.ts';
