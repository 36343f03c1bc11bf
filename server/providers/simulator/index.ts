export { simulatorLanes } from './lanes.ts';
export { simulator } from './simulator.ts';
