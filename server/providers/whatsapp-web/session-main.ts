/** The process of one device: starts with what the worker sends it, and ends with the worker. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Library } from './library-types.ts';
import type { ToSession } from './protocol.ts';
import { type LibrarySession, openLibrarySession } from './session.ts';

let session: LibrarySession | undefined;

const stop = async (): Promise<void> => {
  await session?.stop();
  process.exit(0);
};

process.on('message', (said: ToSession) => {
  if (said.kind === 'begin') {
    const library = createRequire(join(said.library, 'package.json'))('whatsapp-web.js') as Library;
    session = openLibrarySession(library, said, (told) => process.send?.(told));
  } else if (said.kind === 'send') void session?.send(said.call, said.message);
  // One that fails is told by nothing: the worker waits for so long.
  else if (said.kind === 'logOut') void session?.logOut().catch(() => {});
  else void stop();
});
// A worker that was killed can't say so: its end of the line is closed, and the device belongs to another one soon.
process.once('disconnect', () => void stop());
// The worker ends it over the line; a signal for the whole terminal is not meant for it alone.
process.on('SIGINT', () => {});
