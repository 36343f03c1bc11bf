import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openSmtpSink } from '../../test/emulators/smtp-sink/smtp-sink.ts';
import { freePort } from '../../test/program.ts';
import type { Result } from '../definition.ts';
import type { FuzzOptions } from '../fuzz/fuzz-scene.ts';
import { startCentre } from '../sending/centre.ts';
import { ATTACKS } from './abuse-attacks.ts';
import { COST_ATTACKS } from './abuse-costs.ts';
import { tortureRoutes } from './abuse-routes.ts';
import { type AbusePart, openBystander, openFuzzOptions, signedIn } from './abuse-scene.ts';
import type { BystanderReport } from './bystander.ts';

const UNHURRIED = { warmUpMs: 3_000, aloneMs: 10_000 };
const AT_ONCE = { warmUpMs: 0, aloneMs: 500 };
const attacks = [...ATTACKS, ...COST_ATTACKS].toSorted((a, b) => a.point - b.point);

type Sends = Pick<BystanderReport, 'sent' | 'seconds'>;
/** Below this an attack is judged together with the other short ones: of a dozen sends one makes eight percent. */
const ALONE_SECONDS = 2;
const judgeable = (reports: Sends[]): Sends[] => {
  const together = { sent: 0, seconds: 0 };
  for (const { sent, seconds } of reports.filter((one) => one.seconds < ALONE_SECONDS)) {
    together.sent += sent;
    together.seconds += seconds;
  }
  return [
    ...reports.filter(({ seconds }) => seconds >= ALONE_SECONDS),
    ...(together.seconds > 0 ? [together] : []),
  ];
};

interface Row extends Record<string, string | number> {
  what: string;
  outcome: string;
  'health p99 (ms)': number;
  'health max (ms)': number;
  'less what the machine lent': number;
  'own sends (%)': number;
}

/** Real lanes to emulators, as the attacks need them: SMS by SMPP, and signed emails that may bounce. */
const settingsFor = async (folder: string) => {
  const sink = await openSmtpSink();
  const centre = await startCentre([]);
  const bouncePort = await freePort();
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const keyFile = join(folder, 'dkim.pem');
  await writeFile(keyFile, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 });
  const env = {
    SMPP_URLS: centre.url({ window: 50 }),
    EMAIL_SMTP_URL: `${sink.url}?starttls=never`,
    EMAIL_FROM: 'post@sender.example',
    EMAIL_DKIM_DOMAIN: 'sender.example',
    EMAIL_DKIM_SELECTOR: 'a',
    EMAIL_DKIM_KEY_FILE: keyFile,
    EMAIL_BOUNCE_DOMAIN: 'bounces.sender.example',
    EMAIL_BOUNCE_HOST: '127.0.0.1',
    EMAIL_BOUNCE_PORT: String(bouncePort),
    // The attackers come from many addresses, as a proxy would tell them; limits are as usual.
    TRUST_PROXY: '127.0.0.1',
    LIMITS_FACTOR: '1',
    LOG_LEVEL: 'error',
  };
  const close = async () => {
    await sink.close();
    await centre.kill();
  };
  return { sink, centre, bouncePort, env, close };
};

/** The attacks one after another, each beside a good customer and a health check. */
export const runClients = async ({ posthorn, folder, quick }: AbusePart): Promise<Result> => {
  const { sink, centre, bouncePort, env, close } = await settingsFor(folder);
  const program = await posthorn.start([], env);
  try {
    const { url } = program;
    const options: FuzzOptions & { close: () => void } = await openFuzzOptions(posthorn, program, {
      requests: 0,
      seconds: 0,
      clients: 0,
      seed: 1,
    });
    const bystander = await openBystander(posthorn, program, quick ? AT_ONCE : UNHURRIED);
    const { alone } = bystander;
    const shareOf = ({ sent, seconds }: Sends) => sent / seconds / (alone.sent / alone.seconds);
    const rows: Row[] = [];
    const reports: BystanderReport[] = [];
    const watch = async (what: string, work: () => Promise<string | undefined>): Promise<void> => {
      const fault = await work().catch((error: Error) => error.message);
      const report = await bystander.report();
      reports.push(report);
      if (report.over200 > 0) console.log(what, JSON.stringify(report.longWaits));
      rows.push({
        what,
        outcome: fault ?? 'held',
        'health p99 (ms)': Math.round(report.p99),
        'health max (ms)': Math.round(report.max),
        'less what the machine lent': Math.round(report.ownMax),
        'own sends (%)': Math.round(shareOf(report) * 100),
      });
    };
    const scene = {
      url,
      port: Number(new URL(url).port),
      db: posthorn.db,
      sink,
      centre,
      bouncePort,
      attacker: options.main,
      victim: options.other,
      admin: options.admin,
      newcomer: async () => {
        const [made] = await posthorn.customers(1, 0);
        if (!made) throw new Error('no customer');
        return signedIn(url, made);
      },
      crowd: quick ? 24 : 120,
      // A test must not depend on how fast the machine is.
      patienceSeconds: quick ? 60 : 5,
      comesAgain: quick,
    };
    for (const { point, title, run } of attacks.filter(({ long }) => !(quick && long)))
      await watch(`${point}. ${title}`, () => run(scene));
    let requests = 0;
    await watch('every route: slow, huge, malformed, concurrent', async () => {
      const tally = await tortureRoutes(options, quick ? 10 : 1);
      ({ requests } = tally);
      for (const [kind, counts] of Object.entries(tally.statuses)) console.log(kind, JSON.stringify(counts));
      return tally.faults.length > 0 ? tally.faults.slice(0, 5).join('; ') : undefined;
    });
    await bystander.stop();
    options.close();
    const isAlive = program.process.exitCode === null && program.process.signalCode === null;
    if (rows.some(({ outcome }) => outcome !== 'held')) console.log(program.output().slice(-10_000));
    return {
      rows,
      figures: {
        attacks: rows.length,
        succeeded: rows.filter(({ outcome }) => outcome !== 'held').length,
        routeRequests: requests,
        crashes: isAlive ? 0 : 1,
        healthAloneMaxMs: alone.max,
        healthMaxMs: Math.max(...reports.map(({ max }) => max)),
        healthOwnMaxMs: Math.max(...reports.map(({ ownMax }) => ownMax)),
        leastGoodShare: Math.min(...judgeable(reports).map(shareOf)),
      },
      bars: [
        { figure: 'succeeded', max: 0 },
        { figure: 'crashes', max: 0 },
        ...(quick
          ? []
          : [
              { figure: 'healthMaxMs', max: 200 },
              { figure: 'leastGoodShare', min: 0.8 },
            ]),
      ],
    };
  } finally {
    await program.stop();
    await close();
  }
};
