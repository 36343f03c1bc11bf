export { openBackends } from './backends.ts';
export { type Embedded, joinEmbedded, startEmbedded } from './embedded.ts';
export { readPidFile } from './embedded-pid.ts';
