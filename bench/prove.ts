import { openDoor } from './door.ts';

process.exitCode = await openDoor({ command: 'prove', kind: 'proof' }, process.argv.slice(2));
