import { randomBytes, randomInt } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { callApi } from '../test/api.ts';
import { type Program, startProgram } from '../test/program.ts';
import type { Definition } from './definition.ts';
import { processesOn, treeOf } from './measuring/processes.ts';

const CALLERS = 4;
const LEFT_AFTER_MS = 30_000;
const FIRST_MS = 60_000;
/** By then mails that a killed worker was about to write have been retried. */
const MAIL_MS = 120_000;

/** Registers one account after another until the program is gone; returns the emails that were accepted. */
const registerUntilDead = async (url: string, accepted: string[]): Promise<void> => {
  for (;;) {
    const email = `${randomBytes(8).toString('hex')}@example.com`;
    try {
      const { status } = await callApi(url, 'POST /account/register', { body: { email, password: email } });
      if (status === 200) accepted.push(email);
    } catch {
      return;
    }
  }
};

/** `kill -9` for the program and all Node processes that it has started; the database is left alone. */
const killHard = async (program: Program): Promise<void> => {
  const pids = treeOf(program.process.pid ?? 0)
    .filter(({ command }) => /node\S*$/.test(command.split(' ')[0] ?? ''))
    .map(({ pid }) => pid);
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  await program.ended();
};

const leftOn = async (folder: string): Promise<number> => {
  const end = Date.now() + LEFT_AFTER_MS;
  while (processesOn(folder).length > 0 && Date.now() < end) await sleep(100);
  return processesOn(folder).length;
};

/** The right password gets a different answer if the account exists. */
const isKept = async (url: string, email: string): Promise<boolean> =>
  (await callApi(url, 'POST /account/login', { body: { email, password: email } })).error.code ===
  'E_NOT_ACTIVATED';

const mailed = async (dataDir: string): Promise<Set<string>> => {
  const folder = join(dataDir, 'mailbox');
  const mails = await Promise.all(
    (await readdir(folder))
      .filter((name) => name.endsWith('.eml'))
      .map((name) => readFile(join(folder, name), 'utf8')),
  );
  return new Set(mails.flatMap((mail) => /^To: .*?([0-9a-f]{16}@example\.com)/m.exec(mail)?.[1] ?? []));
};

const withoutMail = async (dataDir: string, accepted: string[]): Promise<number> => {
  const end = Date.now() + MAIL_MS;
  for (;;) {
    const arrived = await mailed(dataDir);
    const missing = accepted.filter((email) => !arrived.has(email)).length;
    if (missing === 0 || Date.now() > end) return missing;
    await sleep(500);
  }
};

const definition: Definition = {
  title: 'Registrations through kill -9',
  run: async ({ quick }) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'posthorn-restart-'));
    const start = () => startProgram({ dataDir, env: { LIMITS_FACTOR: '100000' } });
    const rows: Record<string, string | number>[] = [];
    const accepted: string[] = [];
    try {
      for (let round = 1; round <= (quick ? 2 : 10); round += 1) {
        const begun = performance.now();
        const program = await start();
        const ready = (performance.now() - begun) / 1000;
        const before = accepted.length;
        const callers = Array.from({ length: CALLERS }, () => registerUntilDead(program.url, accepted));
        const afterMs = randomInt(300, 1_500);
        for (const end = Date.now() + FIRST_MS; accepted.length === before && Date.now() < end; )
          await sleep(20);
        await sleep(afterMs);
        await killHard(program);
        await Promise.all(callers);
        rows.push({
          round,
          'ready after (s)': ready,
          'killed after the first (ms)': afterMs,
          accepted: accepted.length - before,
        });
      }
      const leftAfterKill = await leftOn(dataDir);
      const program = await start();
      // Mails first: signing in to an account that is not activated sends its mail again.
      const lostMails = await withoutMail(dataDir, accepted);
      let lostAccounts = 0;
      for (const email of accepted) if (!(await isKept(program.url, email))) lostAccounts += 1;
      await program.stop();
      const leftAfterStop = await leftOn(dataDir);
      return {
        rows,
        figures: { accepted: accepted.length, lostAccounts, lostMails, leftAfterKill, leftAfterStop },
        bars: [
          { figure: 'accepted', min: 1 },
          { figure: 'lostAccounts', max: 0 },
          { figure: 'lostMails', max: 0 },
          { figure: 'leftAfterKill', max: 0 },
          { figure: 'leftAfterStop', max: 0 },
        ],
      };
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};
export default definition;
