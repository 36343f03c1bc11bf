import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type CDPSession, chromium } from '@playwright/test';
import { findBrowser } from '../../checks/browser.ts';
import { startProgram } from '../../test/program.ts';
import type { Definition } from '../definition.ts';
import { signIn } from '../load/sign-in.ts';

declare const window: { shift: number; usableAt: number };

/** A slow line: 1.6 Mbit/s in both directions, and 150 ms to the server and back. */
const LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 200_000 };
const SCREEN = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const SETTLED_MS = 1_000;

type Who = 'guest' | 'customer' | 'admin';

const PAGES: { name: string; who: Who; path: string }[] = [
  { name: 'Home', who: 'guest', path: '/' },
  { name: 'Login', who: 'guest', path: '/login' },
  { name: 'Register', who: 'guest', path: '/register' },
  { name: 'Profile', who: 'customer', path: '/dashboard/profile' },
  { name: 'Messages', who: 'customer', path: '/dashboard/messages' },
  { name: 'Messages (admin)', who: 'admin', path: '/dashboard/messages' },
  { name: 'Message log', who: 'customer', path: '/dashboard/messages/log' },
  { name: 'Send message', who: 'customer', path: '/dashboard/messages/send' },
  { name: 'Contacts', who: 'customer', path: '/dashboard/messages/contacts' },
  { name: 'Opt-outs', who: 'customer', path: '/dashboard/messages/opt-outs' },
  { name: 'Payments', who: 'customer', path: '/dashboard/payments' },
  { name: 'Ledger', who: 'customer', path: '/dashboard/payments?tab=ledger' },
  { name: 'Batches', who: 'customer', path: '/dashboard/messages/batches' },
  { name: 'Billing', who: 'customer', path: '/dashboard/billing' },
  { name: 'Integration', who: 'customer', path: '/dashboard/integration' },
  { name: 'Webhook events', who: 'customer', path: '/dashboard/integration/events' },
  { name: 'Profile Settings', who: 'customer', path: '/dashboard/settings' },
  { name: 'Retention', who: 'admin', path: '/dashboard/retention' },
];

/** Runs in the page: sums what moved, and notes the first frame that has a title and waits for nothing. */
const WATCH = `
  window.shift = 0;
  window.usableAt = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
  const waiting = '[aria-busy="true"], .mantine-Skeleton-root, [class*="overlay"][role="status"]';
  const look = () => {
    const ready = document.querySelector('h1') && !document.querySelector(waiting);
    if (!ready) window.usableAt = 0;
    else if (window.usableAt === 0) window.usableAt = performance.now();
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
`;

interface Load {
  bytes: number;
  requests: number;
  scripts: number;
}

/** Counts what comes over the line, compressed as it comes. */
const countLoad = async (session: CDPSession): Promise<Load> => {
  const load = { bytes: 0, requests: 0, scripts: 0 };
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', LINE);
  session.on('Network.responseReceived', ({ type }) => {
    load.requests += 1;
    if (type === 'Script') load.scripts += 1;
  });
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    load.bytes += encodedDataLength;
  });
  return load;
};

interface Visit {
  address: string;
  stored: Record<string, string>;
  screen: typeof SCREEN;
}

const measure = async (browser: Browser, { address, stored, screen }: Visit) => {
  const context = await browser.newContext({ viewport: screen });
  try {
    const page = await context.newPage();
    await page.addInitScript((given) => {
      for (const [key, value] of Object.entries(given)) localStorage.setItem(key, value);
    }, stored);
    await page.addInitScript(WATCH);
    const load = await countLoad(await context.newCDPSession(page));
    await page.goto(address, { waitUntil: 'commit' });
    // Usable is what stays so: a list may still begin to load after the title is there.
    await page.waitForFunction(
      (settledMs) => window.usableAt > 0 && performance.now() - window.usableAt > settledMs,
      SETTLED_MS,
      { timeout: 60_000 },
    );
    const seen = await page.evaluate(() => ({ usableMs: window.usableAt, shift: window.shift }));
    const rows = await page
      .locator('tbody tr')
      .evaluateAll(
        (all, height) => all.filter((row) => row.getBoundingClientRect().bottom <= height).length,
        screen.height,
      );
    return { ...load, ...seen, rows };
  } finally {
    await context.close();
  }
};

/** Every page as someone meets it for the first time, on a slow line. */
const definition: Definition = {
  title: 'Pages on 1.6 Mbit/s with 150 ms, nothing cached',
  run: async ({ quick }) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'posthorn-pages-'));
    const program = await startProgram({ dataDir, env: { LIMITS_FACTOR: '1000' } });
    const browser = await chromium.launch({
      executablePath: await findBrowser(() => {}),
      args: ['--no-sandbox'],
    });
    try {
      const people = JSON.parse(await readFile(join(dataDir, 'first-run.json'), 'utf8'));
      const stored = {
        guest: { activeLang: 'en_US' },
        customer: await signIn(program.url, people.customer),
        admin: await signIn(program.url, people.admin),
      };
      const measured: ({ name: string; phoneShift: number } & Awaited<ReturnType<typeof measure>>)[] = [];
      for (const { name, who, path } of quick ? PAGES.slice(4, 6) : PAGES) {
        const visit = { address: program.url + path, stored: stored[who] };
        const { shift: phoneShift } = await measure(browser, { ...visit, screen: PHONE });
        measured.push({ name, phoneShift, ...(await measure(browser, { ...visit, screen: SCREEN })) });
      }
      const of = (name: string) => measured.find((page) => page.name === name);
      return {
        rows: measured.map(({ name, bytes, requests, scripts, usableMs, shift, phoneShift, rows }) => ({
          page: name,
          'kB on the line': Math.round(bytes / 1_000),
          requests,
          'of them scripts': scripts,
          'usable after (ms)': Math.round(usableMs),
          'layout shift': shift.toFixed(3),
          'at 390 px': phoneShift.toFixed(3),
          'rows in view': rows,
        })),
        figures: {
          worstShift: Math.max(...measured.map(({ shift }) => shift)),
          worstPhoneShift: Math.max(...measured.map(({ phoneShift }) => phoneShift)),
          messagesMs: of('Messages')?.usableMs ?? 0,
          loginMs: of('Login')?.usableMs ?? 0,
          customerRows: of('Messages')?.rows ?? 0,
          adminRows: of('Messages (admin)')?.rows ?? 0,
        },
        bars: [
          { figure: 'worstShift', max: 0.05 },
          { figure: 'worstPhoneShift', max: 0.05 },
          { figure: 'messagesMs', max: 3_000 },
          { figure: 'loginMs', max: 2_000 },
          { figure: 'customerRows', min: 12 },
          { figure: 'adminRows', min: 10 },
        ],
      };
    } finally {
      await browser.close();
      await program.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};
export default definition;
