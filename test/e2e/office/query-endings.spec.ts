import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { joinEmbedded } from '../../../server/ground/embedded-postgres/index.ts';
import { openDatabase } from '../../../server/ground/postgres/index.ts';
import { demoZones, makeDemoZones } from '../../../server/office/query/index.ts';
import { openZonesServer } from '../../../server/start/testing/zones-server.ts';
import { startProgram } from '../../program.ts';
import { expect, test, withSession } from '../fixtures.ts';
import { expectFit } from '../sound.ts';
import { texts } from '../texts.ts';
import { untilQueryServes } from './query-service.ts';

/** It hears no cancel, and would run for days. */
const DEAF = "select strpos(repeat('a', 600000), 'b' || repeat('a', 200000))";
const METRICS_TOKEN = 'the token of the metrics in this test';
const t = texts('en_US');
/** The end by force and the start of a server, on a busy machine. */
const SLOW = { timeout: 90_000 };

/** What its database knows of the statement that is at work, by the owner's connection. */
const untilAtWork = async (url: string): Promise<string[]> => {
  const { pool, close } = openDatabase({ url, max: 1, onError: () => {} });
  const backends = async (): Promise<string[]> => {
    const { rows } = await pool.query(
      "select pid || ' ' || extract(epoch from backend_start) as backend from pg_stat_activity where application_name = 'posthorn-query'",
    );
    return rows.map(({ backend }) => backend);
  };
  await expect.poll(backends, SLOW).toHaveLength(1);
  const found = await backends();
  await close();
  return found;
};

/** What whoever watches the program is told. */
const lingering = async (url: string): Promise<string | undefined> => {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  return /^posthorn_query_lingering (\d+)$/m.exec(await answer.text())?.[1];
};

const openTool = async (page: Page) => {
  await page.goto('/qf/query');
  await expect(page.getByLabel(t('qf.database'), { exact: true })).toHaveValue('merchant_hk');
  const editor = page.getByRole('textbox', { name: t('qf.editor') });
  return {
    result: page.getByRole('region', { name: t('qf.result'), exact: true }),
    run: async (sql: string) => {
      await editor.click();
      await page.keyboard.press('Control+A');
      await page.keyboard.type(sql);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+Enter');
    },
    cancel: () => page.getByRole('button', { name: t('qf.cancel'), exact: true }).click({ timeout: 10_000 }),
  };
};

test('a query of the built-in zone that outlives its end is cancelled when the page says so', async ({
  page,
  program,
}) => {
  test.setTimeout(240_000);
  await untilQueryServes(program);
  await withSession(page, program, program.admin);
  const { result, run, cancel } = await openTool(page);
  await run(DEAF);
  await expect(result).toContainText(t('qf.running'));
  const zones = await joinEmbedded(join(program.dataDir, 'query-database'));
  await untilAtWork(zones?.url ?? '');
  await cancel();
  await expect(result.getByRole('alert')).toHaveText(t('query.cancelled'), SLOW);
  await run('select count(*) from merchant');
  await expect(result.getByRole('cell', { name: '320' })).toBeVisible({ timeout: 60_000 });
});

test('a query that an operator’s database goes on with is said to run, until it is gone', async ({
  browser,
}) => {
  test.setTimeout(240_000);
  const folder = await mkdtemp(join(tmpdir(), 'posthorn-e2e-zones-'));
  const server = await openZonesServer({ dataDir: join(folder, 'zones'), say: () => {}, fsync: false });
  try {
    const made = openDatabase({ url: server.url, max: 1, onError: () => {} });
    await makeDemoZones(made.db, server);
    const [zone] = demoZones(server);
    const file = join(folder, 'zones.json');
    await writeFile(file, JSON.stringify({ zones: [{ ...zone, password: undefined, own: undefined }] }));
    const dataDir = join(folder, 'data');
    await mkdir(dataDir);
    const started = await startProgram({ dataDir, env: { QUERY_ZONES: file, METRICS_TOKEN } });
    try {
      const { admin } = JSON.parse(await readFile(join(dataDir, 'first-run.json'), 'utf8'));
      const program = { ...started, dataDir, admin, customer: admin };
      await untilQueryServes(program);
      const page = await browser.newPage({ baseURL: started.url });
      await withSession(page, program, admin);
      const { result, run, cancel } = await openTool(page);
      await run(DEAF);
      await expect(result).toContainText(t('qf.running'));
      const backends = await untilAtWork(server.url);
      await cancel();
      const still = result.getByText(/^Still running in the database of HK since/);
      await expect(still).toBeVisible(SLOW);
      await expectFit(page, 'a query that goes on in its database');
      await expect(result).not.toContainText(t('query.cancelled'));
      const log = await readFile(join(dataDir, 'posthorn.log'), 'utf8');
      expect(log).toContain('ALARM a statement goes on in the database of the zone HK');
      expect(await lingering(started.url)).toBe('1');
      await run('select 1');
      await expect(result).toContainText('Your last query is still running');
      // Whoever opens the page anew is told too.
      await page.reload();
      await expect(still).toBeVisible();
      await expect(result).not.toContainText(t('qf.nothing_yet'));
      for (const backend of backends) await server.own.kill(backend);
      await expect(result).toContainText(t('qf.lingering_gone'), { timeout: 60_000 });
      expect(await lingering(started.url)).toBe('0');
      await run('select count(*) from merchant');
      await expect(result.getByRole('cell', { name: '320' })).toBeVisible({ timeout: 60_000 });
      await page.close();
    } finally {
      await started.stop();
      await made.close();
    }
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
});
