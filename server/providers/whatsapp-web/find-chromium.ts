import { existsSync } from 'node:fs';

/** Where systems put it; elsewhere it is named by WHATSAPP_WEB_CHROMIUM. */
const PROGRAMS = [
  ...['/usr/bin', '/usr/local/bin', '/snap/bin'].flatMap((folder) =>
    ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'].map(
      (name) => `${folder}/${name}`,
    ),
  ),
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The first browser of the machine that the library can drive. */
export const findChromium = (): string | undefined => PROGRAMS.find((program) => existsSync(program));
