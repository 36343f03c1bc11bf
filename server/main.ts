import { relative } from 'node:path';
import { readConfig } from './config.ts';
import { makeDemo } from './demo/index.ts';
import { listen } from './http/listen.ts';
import { isLocalUrl } from './http/request-origin.ts';
import { chooseAddress } from './start/address.ts';
import { openApp } from './start/app.ts';
import { openInstallation } from './start/installation.ts';
import { readSmsLanes } from './start/lanes.ts';
import { startQuery } from './start/query.ts';
import { openRooms } from './start/rooms.ts';
import { checkSafety } from './start/safety.ts';
import { stopOnSignals } from './start/stop.ts';
import { addWebRole } from './start/web.ts';
import { openWorker } from './start/worker.ts';
import { say, sayFault } from './terminal/index.ts';

/** Starts what the settings ask for; `ending` collects how to undo each step, last first. */
const start = async (ending: AsyncDisposableStack, isStopping: () => boolean): Promise<void> => {
  const config = readConfig();
  const { roles } = config;
  const sms = readSmsLanes(config);
  const { address, publicUrl } = await chooseAddress(config);
  const installation = await openInstallation(config, { say });
  ending.defer(installation.close);
  const { log, clockAheadMs } = installation;
  checkSafety(config, { sms, clockAheadMs }, { log, say });
  const setup = { config, installation, publicUrl, sms, ending };

  const rooms = await openRooms(setup);
  const served = await openApp(setup, isStopping);
  const { app } = served;
  const isWeb = roles.includes('web');
  if (isWeb) await addWebRole(served, setup, rooms);
  const worker = roles.includes('worker') ? await openWorker(setup, rooms) : undefined;
  const firstRunFile = installation.embedded && (await makeDemo(rooms, config.DATA_DIR));
  await worker?.run();
  if (roles.includes('query')) startQuery(log);
  if (address) await listen(app, address);

  log.info({ roles, migrated: installation.migrated }, 'started');
  if (isWeb) say(`ready at ${publicUrl}`);
  else say(`ready (${roles.join(', ')})`);
  if (firstRunFile) say(`sign in with the demo accounts of ${relative('.', firstRunFile)}`);
  // On a server what is printed may end up in a log, so the link with its token is for this machine only.
  const mailbox = isLocalUrl(publicUrl)
    ? `${publicUrl}/mailbox#${rooms.mailboxToken}`
    : relative('.', rooms.mailboxFolder);
  if (isWeb && !config.SMTP_URL) say(`outgoing mail is kept here: ${mailbox}`);
  if (worker?.refused.length)
    say(`no provider is set for ${worker.refused.join(' and ')}: such messages are refused`);
};

const ending = new AsyncDisposableStack();
const isStopping = stopOnSignals(ending);
try {
  await start(ending, isStopping);
} catch (error) {
  if (!isStopping()) {
    sayFault(error);
    await ending.disposeAsync();
    process.exit(1);
  }
}
