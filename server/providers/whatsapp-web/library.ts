import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** What `npm run install-whatsapp-web` installs. */
export const LIBRARY = { name: 'whatsapp-web.js', version: '1.34.7' };

/** Apart from the program's own packages: it is an option, and brings many. */
export const libraryFolder = (dataDir: string): string => join(dataDir, 'whatsapp-web');

export const isLibraryInstalled = (folder: string): boolean =>
  existsSync(join(folder, 'node_modules', LIBRARY.name, 'package.json'));
