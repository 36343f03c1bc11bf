export { deviceSimulator } from './device-simulator.ts';
export { simulatorLanes } from './lanes.ts';
export { phoneSimulator } from './phone-simulator.ts';
export { simulator } from './simulator.ts';
