import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { test as base, expect, type Page, type Request } from '@playwright/test';
import axe from 'axe-core';
import type { Language } from '../../contract/ground/constants.ts';
import { startProgram } from '../program.ts';

export interface Person {
  email: string;
  password: string;
}

export interface RunningProgram {
  url: string;
  dataDir: string;
  customer: Person;
  admin: Person;
}

interface WorkerFixtures {
  /** The real program, one for each worker, with its demo accounts. */
  program: RunningProgram;
}

interface TestFixtures {
  /** Statuses that this test provokes: the browser reports each refused request as an error. */
  expectedStatuses: number[];
  /** Everything that the browser complained about; must be empty in the end. */
  complaints: string[];
  language: Language;
}

/** The frame of a mail refuses the scripts that Playwright itself puts into every frame, as it should. */
const REFUSED_IN_MAIL = /^Blocked script execution in 'about:srcdoc'/;

const watch = (page: Page, complaints: string[], expectedStatuses: number[]) => {
  page.on('pageerror', (error) => complaints.push(`page error: ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    if (REFUSED_IN_MAIL.test(message.text())) return;
    const status = /responded with a status of (\d+)/.exec(message.text())?.[1];
    if (status && expectedStatuses.includes(Number(status))) return;
    complaints.push(`console ${message.type()}: ${message.text()} (${message.location().url})`);
  });
};

/** Of a page's outline. */
const MOST_SHOWN = 6_000;

/** How far the page has come, and when each of its files began and ended, in milliseconds. */
const describeLoading = () => {
  const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
  const lines = files.map(
    ({ name, startTime, responseEnd }) =>
      `${new URL(name).pathname} ${Math.round(startTime)}-${Math.round(responseEnd)}`,
  );
  return `${document.readyState} at ${Math.round(performance.now())}: ${lines.join(', ')}`;
};

/** Of a test that failed: what its page showed and which answers it waited for. A log is all that some have of it. */
const describePage = async (page: Page, underWay: Set<Request>): Promise<string> => {
  const waits = Array.from(underWay, (request) => `${request.method()} ${request.url()}`);
  const loading = await Promise.race([
    page.evaluate(describeLoading).catch((error: Error) => error.message),
    sleep(5_000, 'the page does not answer'),
  ]);
  const shown = await page
    .locator('body')
    .ariaSnapshot({ timeout: 5_000 })
    .catch((error: Error) => error.message);
  return [
    `At ${page.url()}`,
    `waiting for: ${waits.join(', ') || 'nothing'}`,
    loading.slice(0, MOST_SHOWN),
    shown.slice(0, MOST_SHOWN),
  ].join('\n');
};

export const test = base.extend<TestFixtures, WorkerFixtures>({
  program: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern.
    async ({}, use) => {
      const dataDir = await mkdtemp(join(tmpdir(), 'posthorn-e2e-'));
      try {
        // All tests come from one address, so the limits by address would stop them.
        const program = await startProgram({
          dataDir,
          env: {
            LIMITS_FACTOR: '1000',
            WEBHOOKS_ALLOW_PRIVATE: 'true',
            // Nobody is there, for lanes that tests make.
            TWILIO_API_BASE: 'http://127.0.0.1:9',
            WHATSAPP_CLOUD_API_BASE: 'http://127.0.0.1:9',
          },
        });
        const demo = JSON.parse(await readFile(join(dataDir, 'first-run.json'), 'utf8'));
        await use({ url: program.url, dataDir, customer: demo.customer, admin: demo.admin });
        await program.stop();
        const log = await readFile(join(dataDir, 'posthorn.log'), 'utf8');
        const faults = log.split('\n').filter((line) => /"level":"(error|fatal)"/.test(line));
        expect(faults, 'the program logged no fault').toEqual([]);
      } finally {
        await rm(dataDir, { recursive: true, force: true });
      }
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: async ({ program }, use) => use(program.url),
  language: ['en_US', { option: true }],
  storageState: async ({ program, language }, use) => {
    const localStorage = [{ name: 'activeLang', value: language }];
    await use({ cookies: [], origins: [{ origin: program.url, localStorage }] });
  },
  expectedStatuses: [[], { option: true }],
  complaints: [
    async ({ context, expectedStatuses }, use, testInfo) => {
      const complaints: string[] = [];
      const underWay = new Set<Request>();
      context.on('page', (page) => watch(page, complaints, expectedStatuses));
      context.on('request', (request) => underWay.add(request));
      context.on('requestfinished', (request) => underWay.delete(request));
      context.on('requestfailed', (request) => underWay.delete(request));
      await use(complaints);
      if (testInfo.status !== testInfo.expectedStatus)
        for (const page of context.pages()) process.stdout.write(`${await describePage(page, underWay)}\n`);
      // What a test answers in the server's place may still be under way, which would fail it or the next one.
      await Promise.all(
        [context, ...context.pages()].map((routed) => routed.unrouteAll({ behavior: 'ignoreErrors' })),
      );
      expect(complaints, 'the browser complains about nothing').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

export const newPerson = (): Person => ({
  email: `walker-${randomBytes(6).toString('hex')}@example.com`,
  password: `Long-${randomBytes(6).toString('hex')}`,
});

/** Puts a session into the browser. Any small file of the site will do: the session belongs to its origin. */
export const putSession = async (
  page: Page,
  session: { token: string; accountId: string; email: string },
): Promise<void> => {
  await page.goto('/favicon.svg');
  await page.evaluate((given) => {
    for (const [key, value] of Object.entries(given)) localStorage.setItem(key, value);
  }, session);
};

/** Signs in without the form. */
export const withSession = async (page: Page, program: RunningProgram, person: Person): Promise<string> => {
  const answer = await page.request.post(`${program.url}/api/account/login`, { data: person });
  expect(answer.status()).toBe(200);
  const { token, accountId } = await answer.json();
  await putSession(page, { token, accountId, email: person.email });
  return token;
};

/** How often axe looks at most. */
const LOOKS = 5;

/** What changes while axe looks, such as a toast that goes, may be seen halfway: then axe looks again. */
const findFaults = (page: Page, rules?: string[]): Promise<{ found: string[]; changed: boolean }> =>
  page.evaluate(async (only) => {
    const { run } = (globalThis as unknown as { axe: typeof axe }).axe;
    const moving = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(Number(effect?.getComputedTiming().endTime)));
    await Promise.allSettled(moving.map(({ finished }) => finished));
    let changed = false;
    const observer = new MutationObserver(() => {
      changed = true;
    });
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    const { violations } = await run(
      // A mail is shown in a frame that may run no script at all, axe's included. There are no other frames.
      { exclude: [['iframe[sandbox]']] },
      {
        iframes: false,
        resultTypes: ['violations'],
        ...(only && { runOnly: { type: 'rule' as const, values: only } }),
      },
    );
    observer.disconnect();
    const found = violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${target}: ${failureSummary}`),
    );
    return { found, changed };
  }, rules);

export const expectAccessible = async (page: Page, where: string, rules?: string[]): Promise<void> => {
  // The rows of the search before are pale until the new ones are there.
  await expect(page.locator('[data-stale]')).toHaveCount(0);
  // Half a megabyte, once for each document that is looked at.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  let seen = await findFaults(page, rules);
  for (let looks = 1; looks < LOOKS && seen.changed && seen.found.length > 0; looks += 1)
    seen = await findFaults(page, rules);
  expect(seen.found, `axe finds nothing on ${where}`).toEqual([]);
};
