import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';
import { runProgram, runTool } from './tool.ts';

/** The one without windows first: it needs a third less of the processor for the same page. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
];
const MAC_PROGRAMS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
const ANSWER_SECONDS = 20;
const DOWNLOAD_SECONDS = 180;
const PACKAGE_SECONDS = 300;

const cwd = import.meta.dirname;
type Say = (line: string) => void;

/** An installed browser may still not run: some systems only have a stub, or lack its libraries. */
const runs = async (path: string): Promise<boolean> =>
  existsSync(path) &&
  (await runProgram([path, '--version'], { cwd, timeoutSeconds: ANSWER_SECONDS })).code === 0;

const firstThatRuns = async (paths: string[]): Promise<string | undefined> => {
  for (const path of paths) if (await runs(path)) return path;
  return undefined;
};

const installed = () => {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return firstThatRuns([
    ...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))),
    ...MAC_PROGRAMS,
  ]);
};

const downloaded = () => firstThatRuns([chromium.executablePath()]);

const download = async (say: Say): Promise<string | undefined> => {
  say('Downloading Chromium for the browser tests …');
  await runTool('playwright', ['install', 'chromium'], { cwd, timeoutSeconds: DOWNLOAD_SECONDS });
  return downloaded();
};

const debianPackage = async (say: Say): Promise<string | undefined> => {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined;
  say("Installing Debian's chromium for the browser tests …");
  const options = { cwd, env: { DEBIAN_FRONTEND: 'noninteractive' }, timeoutSeconds: PACKAGE_SECONDS };
  const install = (name: string) =>
    runProgram(['apt-get', 'install', '-y', '-qq', '--no-install-recommends', name], options);
  await runProgram(['apt-get', 'update', '-qq'], options);
  await install('chromium-headless-shell');
  const shell = await installed();
  if (shell) return shell;
  // Older releases have only the whole browser.
  await install('chromium');
  return installed();
};

/**
 * The browser's program: the one that is set, an installed one, Playwright's own, or one that can be downloaded now.
 */
export const findBrowser = async (say: Say): Promise<string> => {
  const set = process.env.POSTHORN_CHROMIUM;
  if (set) {
    if (await runs(set)) return set;
    throw new Error(`POSTHORN_CHROMIUM is ${set}, which does not run.`);
  }
  const found =
    (await installed()) ?? (await downloaded()) ?? (await download(say)) ?? (await debianPackage(say));
  if (found) return found;
  throw new Error(
    'No browser was found and none could be downloaded: install Chromium or Google Chrome, or set POSTHORN_CHROMIUM to its program.',
  );
};
