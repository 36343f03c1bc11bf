import { openDoor } from './door.ts';

process.exitCode = await openDoor({ command: 'bench', kind: 'bench' }, process.argv.slice(2));
