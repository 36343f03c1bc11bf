export { makeDeviceLane } from './change-lane.ts';
export {
  type DeviceLaneState,
  findLease,
  hasMet,
  insertDeviceLane,
  readDeviceLanes,
  setDeviceLane,
  setDeviceNumber,
} from './device-lane-store.ts';
