import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfig } from '../config.ts';
import { StartFault, sayFault } from '../ground/terminal/index.ts';
import { findChromium, LIBRARY, libraryFolder } from '../providers/whatsapp-web/index.ts';

/** Its scripts would download a browser: the machine's own is used. */
const FLAGS = ['--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund', '--save-exact'];

/** Installs the library by which devices use WhatsApp Web. It is no part of the program's own packages. */
const run = async (): Promise<void> => {
  const { DATA_DIR, WHATSAPP_WEB_CHROMIUM } = readConfig();
  const folder = libraryFolder(DATA_DIR);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
  const npm = spawn('npm', ['install', ...FLAGS, '--prefix', folder, `${LIBRARY.name}@${LIBRARY.version}`], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  const [code] = await once(npm, 'exit');
  if (code !== 0) throw new StartFault(`${LIBRARY.name} could not be installed: see above.`);
  const chromium = WHATSAPP_WEB_CHROMIUM ?? findChromium();
  process.stdout.write(
    chromium
      ? `Installed in ${folder}. New devices use WhatsApp Web by ${chromium} after the next start.\n`
      : `Installed in ${folder}. Now install Chromium, or set WHATSAPP_WEB_CHROMIUM to its program.\n`,
  );
};

run().catch((error: unknown) => {
  sayFault(error);
  process.exit(1);
});
