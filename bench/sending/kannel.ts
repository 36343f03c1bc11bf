import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../test/program.ts';

const BEARERBOX = '/usr/sbin/bearerbox';
const SMSBOX = '/usr/sbin/smsbox';
const MTBATCH = '/usr/bin/mtbatch';
const START_MS = 15_000;
/** Errors and worse: its usual debug log on the terminal would slow it down. */
const QUIET = ['-v', '4'];

export const MISSING_KANNEL =
  'Kannel is not installed, so there is nothing to compare with: install it (Debian and Ubuntu: apt install kannel kannel-extras) and run this again.';

export const hasKannel = (): boolean => [BEARERBOX, SMSBOX, MTBATCH].every((path) => existsSync(path));

export const kannelVersion = (): string => {
  try {
    // A format of dpkg's, not a template of ours.
    return execFileSync('dpkg-query', ['-W', '-f', `$\{Version}`, 'kannel'], { encoding: 'utf8' });
  } catch {
    return 'of an unknown version';
  }
};

export interface Kannel {
  sendPort: number;
  /** The address for sending; the rest is `&to=…&text=…`. */
  path: string;
  /** Its own bulk path: one text to many. Ends when all of it has reached Kannel's core. */
  batch: (text: string, numbers: string[]) => Promise<void>;
  stop: () => Promise<void>;
}

const settings = (ports: { admin: number; box: number; send: number; centre: number }, folder: string) => `
group = core
admin-port = ${ports.admin}
admin-password = bench
smsbox-port = ${ports.box}
box-allow-ip = 127.0.0.1
store-type = file
store-location = ${join(folder, 'kannel.store')}
dlr-storage = internal

group = smsc
smsc = smpp
smsc-id = centre
host = 127.0.0.1
port = ${ports.centre}
smsc-username = posthorn
smsc-password = secret
system-type = ""
transceiver-mode = true
max-pending-submits = 100

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = ${ports.send}

group = sendsms-user
username = bench
password = bench
`;

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('close', () => {}).setTimeout(500, () => socket.destroy());
    socket.unref();
  });

const untilAnswers = async (port: number, what: string): Promise<void> => {
  for (const end = Date.now() + START_MS; !(await answers(port)); await sleep(50))
    if (Date.now() > end) throw new Error(`Kannel's ${what} does not answer`);
};

const endOf = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await once(child, 'exit');
  clearTimeout(late);
};

/** Kannel's core and its HTTP interface, with one bind of window 100 to the message centre. */
export const startKannel = async (folder: string, centrePort: number): Promise<Kannel> => {
  const ports = {
    admin: await freePort(),
    box: await freePort(),
    send: await freePort(),
    centre: centrePort,
  };
  const file = join(folder, 'kannel.conf');
  await writeFile(file, settings(ports, folder));
  const start = (path: string, args: string[]): ChildProcess => {
    const child = spawn(path, args, { cwd: folder, stdio: 'ignore' });
    const kill = () => child.kill('SIGKILL');
    process.once('exit', kill);
    child.once('exit', () => process.off('exit', kill));
    return child;
  };
  const core = start(BEARERBOX, [...QUIET, file]);
  await untilAnswers(ports.box, 'core');
  const box = start(SMSBOX, [...QUIET, file]);
  await untilAnswers(ports.send, 'HTTP interface');
  return {
    sendPort: ports.send,
    path: '/cgi-bin/sendsms?username=bench&password=bench&from=85298765432',
    batch: async (text, numbers) => {
      const [content, receivers] = [join(folder, 'content'), join(folder, 'receivers')];
      await writeFile(content, text);
      await writeFile(receivers, `${numbers.join('\n')}\n`);
      const from = ['-b', '127.0.0.1', '-p', String(ports.box), '-f', '85298765432'];
      const [code] = await once(start(MTBATCH, [...QUIET, ...from, content, receivers]), 'exit');
      if (code !== 0) throw new Error(`mtbatch ended with ${code}`);
    },
    stop: async () => {
      await endOf(box);
      await endOf(core);
    },
  };
};
