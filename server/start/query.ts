import { createHmac } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { Config } from '../config.ts';
import { openDatabase } from '../ground/postgres/index.ts';
import { readSetting } from '../ground/settings/index.ts';
import { registerQueryService } from '../http/index.ts';
import { choosePort, listen, localUrl } from '../http/listen.ts';
import {
  demoZones,
  dropFormerDemoZones,
  makeDemoZones,
  mariadbDemo,
  openJudging,
  openQueryService,
  readZones,
  type Zone,
} from '../office/query/index.ts';
import { openApp } from './app.ts';
import { type Installation, openInstallation } from './installation.ts';
import { withholding } from './withholding.ts';
import { openZonesServer } from './zones-server.ts';

/** The service has no guard but its key, so it is not for the network. */
const LOOPBACK = '127.0.0.1';

/** Known to every process of the installation. */
export const queryKeyOf = ({ QUERY_KEY }: Config, key: Buffer): string =>
  QUERY_KEY ?? createHmac('sha256', key).update('query service').digest('base64url');

/** Faults of the file are told when the program starts, by the process that starts the service too. */
export const configuredZones = ({ QUERY_ZONES: path, variable }: Config): Zone[] | undefined =>
  path === undefined ? undefined : readSetting('QUERY_ZONES', () => readZones(path, variable));

/** Made whenever the service starts: what is there already stays as it is. */
const mariadbZone = async (
  { QUERY_MARIADB_URL: url }: Config,
  { key, log }: Pick<Installation, 'key' | 'log'>,
): Promise<Zone | undefined> => {
  if (url === undefined) return undefined;
  const password = createHmac('sha256', key).update('query zone').digest('base64url');
  const { zone, script } = await mariadbDemo({ url, password });
  const { runScript } = await import('../providers/mysql-reader/index.ts');
  // Whoever asks the zone is told that it can't be reached; the next start tries again.
  await runScript(url, script).catch((error: Error) =>
    log.error({ reason: error.message }, 'the merchants of QUERY_MARIADB_URL could not be made'),
  );
  return zone;
};

/** The merchants of the zones that the program brings, on a server of their own: it may be killed without touching money. */
const builtInZones = async (
  config: Config,
  { database, log }: Pick<Installation, 'database' | 'log'>,
  ending: AsyncDisposableStack,
): Promise<Zone[]> => {
  const say = (line: string) => log.warn({ of: 'query-database' }, line);
  const { url, own, close } = await openZonesServer({ dataDir: config.DATA_DIR, say });
  ending.defer(close);
  const made = openDatabase({ url, max: 1, onError: () => {} });
  try {
    await makeDemoZones(made.db, { url });
  } finally {
    await made.close();
  }
  await dropFormerDemoZones(database.db).catch((error) => log.error({ err: error }, 'query'));
  return demoZones({ url }, own);
};

const zonesOf = async (
  config: Config,
  installation: Installation,
  ending: AsyncDisposableStack,
): Promise<Zone[]> => {
  const configured = configuredZones(config);
  if (configured) return configured;
  if (!installation.embedded) return [];
  const [first, second] = (await builtInZones(config, installation, ending)) as [Zone, Zone];
  return [first, (await mariadbZone(config, installation)) ?? second];
};

/** Loaded when a zone first needs it. */
const readers = {
  postgres: async () => (await import('../providers/postgres-reader/index.ts')).openPostgresReader,
  mysql: async () => (await import('../providers/mysql-reader/index.ts')).openMysqlReader,
};

const JUDGE = new URL('./judge-statement.ts', import.meta.url);

interface QueryRole {
  config: Config;
  /** 0: any that is free. */
  port: number;
  say: (line: string) => void;
  ending: AsyncDisposableStack;
  /** A process of the program, which ends with it. */
  ofProgram: boolean;
  isStopping: () => boolean;
}

/** The role query in a process of its own: the SQL tool's service. Answers where it listens. */
export const serveQuery = async ({
  config,
  port,
  say,
  ending,
  ofProgram,
  isStopping,
}: QueryRole): Promise<{ url: string }> => {
  const address = await choosePort({ host: LOOPBACK, port });
  // It uses the embedded database of the program that runs already.
  const installation = await openInstallation(config, { say, beside: ofProgram ? 'for-good' : true });
  ending.defer(installation.close);
  const { database, key, log } = installation;
  const zones = await zonesOf(config, installation, ending);
  const { app } = await openApp({ config, installation, publicUrl: localUrl(address), ending }, isStopping);
  const judging = openJudging(JUDGE, [...new Set(zones.map(({ engine }) => engine))]);
  ending.defer(judging.close);
  const onWithheld = withholding(installation);
  const service = openQueryService({ zones, readers, judging, db: database.db, log, onWithheld });
  ending.defer(service.close);
  registerQueryService(app, service, queryKeyOf(config, key));
  await listen(app, address);
  log.info({ zones: zones.map(({ name }) => name) }, 'query service started');
  return { url: localUrl({ host: LOOPBACK, port: (app.server.address() as AddressInfo).port }) };
};
