import { relative } from 'node:path';
import { readConfig } from './config.ts';
import { say, sayFault } from './ground/terminal/index.ts';
import { isLocalUrl } from './http/defence/request-origin.ts';
import { listen } from './http/listen.ts';
import { chooseAddress } from './start/address.ts';
import { openApp } from './start/app.ts';
import { makeDemo } from './start/demo/index.ts';
import { openInstallation } from './start/installation.ts';
import { readSmsLanes } from './start/lanes.ts';
import { configuredZones, serveQuery } from './start/query.ts';
import { openQueryProcess } from './start/query-process.ts';
import { openRooms } from './start/rooms.ts';
import { checkSafety } from './start/safety.ts';
import { stopOnSignals } from './start/stop.ts';
import { addWebRole } from './start/web.ts';
import { openWorker } from './start/worker.ts';

/** Real lanes without real cards: what an operator has to know. */
const UNPAID = [
  'STRIPE_SECRET_KEY is not set or is for tests, but providers of messages are set: cards are test cards,',
  'whose money pays for simulated messages only; customers send for real once an admin adds to their balance',
].join(' ');
/** Where the role query listens if it is the only one of its process. */
const QUERY_PORT = 3100;

/** Starts what the settings ask for; `ending` collects how to undo each step, last first. */
const start = async (ending: AsyncDisposableStack, isStopping: () => boolean): Promise<void> => {
  const config = readConfig();
  const { roles } = config;
  if (roles.join() === 'query') {
    const { url } = await serveQuery({
      config,
      port: config.QUERY_PORT ?? QUERY_PORT,
      say,
      ending,
      ofProgram: false,
      isStopping,
    });
    say(`ready (query) at ${url}`);
    return;
  }
  if (roles.includes('query')) configuredZones(config);
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
  const query = roles.includes('query') ? openQueryProcess(log) : undefined;
  if (query) ending.defer(query.stop);
  if (isWeb) await addWebRole(served, setup, rooms, async () => (query ? query.url() : config.QUERY_URL));
  const worker = roles.includes('worker') ? await openWorker(setup, rooms) : undefined;
  const firstRunFile = installation.embedded && (await makeDemo(rooms, config.DATA_DIR));
  await worker?.run();
  if (address) await listen(app, address);
  // After all that people wait for; a call to it waits until it is ready.
  query?.start();

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
  if (worker?.unpaid) say(UNPAID);
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
