import { randomBytes, randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { callApi, mailedToken } from '../test/api.ts';
import { type Program, startProgram } from '../test/program.ts';
import type { Definition } from './definition.ts';
import { processesOn, treeOf } from './processes.ts';

const CALLERS = 4;
const LEFT_AFTER_MS = 10_000;
/** A job that a killed worker held is taken up again after its heartbeat has stopped. */
const MAIL_MS = 120_000;

/** Registers one account after another until the program is gone; answers the emails that were accepted. */
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

/** `kill -9` for the program and whatever Node processes it has started; the database is left to itself. */
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

/** The activation link proves both: the account was kept, and so was the order to write its mail. */
const isKept = async (url: string, email: string): Promise<boolean> => {
  try {
    const token = await mailedToken(url, email, MAIL_MS);
    return (await callApi(url, 'POST /activate', { body: { token } })).status === 200;
  } catch {
    return false;
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
        await sleep(afterMs);
        await killHard(program);
        await Promise.all(callers);
        rows.push({
          round,
          'ready after (s)': ready,
          'killed after (ms)': afterMs,
          accepted: accepted.length - before,
        });
      }
      const leftAfterKill = await leftOn(dataDir);
      const program = await start();
      let lost = 0;
      for (const email of accepted) if (!(await isKept(program.url, email))) lost += 1;
      await program.stop();
      const leftAfterStop = await leftOn(dataDir);
      return {
        rows,
        figures: { accepted: accepted.length, lost, leftAfterKill, leftAfterStop },
        bars: [
          { figure: 'accepted', min: 1 },
          { figure: 'lost', max: 0 },
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
