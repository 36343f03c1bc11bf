export { simulatorLanes } from './lanes.ts';
export { type SimulatorOptions, simulator } from './simulator.ts';
