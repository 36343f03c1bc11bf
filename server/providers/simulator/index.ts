export { type SimulatorOptions, simulator } from './simulator.ts';
