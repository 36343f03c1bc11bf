export { say, sayFault } from './say.ts';
export { StartFault } from './start-fault.ts';
