import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { sql } from 'kysely';
import { findBrowser } from '../../checks/browser.ts';
import type { Db } from '../../server/ground/postgres/index.ts';
import type { Definition } from '../definition.ts';
import { countFrames, openMeter, SECOND_MS, scroll } from '../load/frames.ts';
import { signIn } from '../load/sign-in.ts';
import { openPosthorn } from '../posthorn.ts';

declare const window: { watch: { arrivedAt: number; shownAt: number } };

const PHONES = 2_000;

/** SIMs of a large fleet, with all that the table shows of them. */
const addPhones = async (db: Db, count: number): Promise<void> => {
  await sql`
    with made as (
      insert into phones (id, name, phone_number, imsi, remark, started_at, last_heartbeat_at, valid_until, sim_host,
        port, slot, setting, carrier_aliases, sms_active, throttle_ten_minutes, throttle_one_hour, throttle_eight_hours,
        throttle_one_day, balance_micros)
      select gen_random_uuid(), 'hk-' || lpad(n::text, 4, '0'), '+8526' || lpad(n::text, 7, '0'),
        '45400' || lpad(n::text, 10, '0'), case when n % 9 = 0 then 'shelf ' || n / 9 else '' end,
        now() - n * interval '1 hour', now() - (n % 7) * interval '1 minute', current_date + n % 60,
        'pi-' || n / 8 || '.example', '8080', (array['SIM 01', 'SIM 02', 'SIM 03'])[1 + n % 3],
        '{"idealVolume": 200, "isTransferAvailable": true, "distinctRecipients": 150}',
        array[(array['csl', 'three', 'smartone', 'cmhk'])[1 + n % 4]], n % 11 > 0, 20, 60, 200, 300, n * 20000
      from generate_series(1, ${count}) n returning id, name
    )
    insert into phone_days (phone_id, day, sent, net, cost_micros)
    select id, (now() at time zone 'Asia/Hong_Kong')::date, 10 + length(name) * 20, 160, 0 from made`.execute(
    db,
  );
};

/** Runs in the page: records when the inventory has arrived and when it is on screen. */
const watchPage = (page: Page) =>
  page.addInitScript(`
    const watch = (window.watch = { arrivedAt: 0, shownAt: 0 });
    const fetched = window.fetch;
    window.fetch = async (...given) => {
      const response = await fetched(...given);
      if (!String(given[0]).includes('/phoneNumberInventory?')) return response;
      const content = await response.blob();
      watch.arrivedAt ||= performance.now();
      return new Response(content, response);
    };
    const look = () => {
      if (watch.shownAt === 0 && document.querySelector('tbody button[aria-label^="Edit Name of hk-"]')) {
        // The second frame begins when the first has been drawn.
        watch.shownAt = -1;
        requestAnimationFrame(() => requestAnimationFrame(() => (watch.shownAt = performance.now())));
      }
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  `);

const measure = async (page: Page, url: string, rounds: number) => {
  const shown: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await page.goto(`${url}/dashboard/phone`);
    await page.waitForFunction(() => window.watch.shownAt > 0);
    shown.push(await page.evaluate(() => window.watch.shownAt - window.watch.arrivedAt));
  }
  const used = await openMeter(page);
  const still = await countFrames(page, () => page.waitForTimeout(2 * SECOND_MS));
  await page.mouse.move(700, 600);
  const before = await used();
  const scrolling = await countFrames(page, () => scroll(page, { steps: rounds * 12, turn: 12 }));
  const stepWork = ((await used()) - before) / (rounds * 12);
  const sideways = await countFrames(page, () =>
    scroll(page, { steps: rounds * 6, turn: 6, sideways: true }),
  );
  const search = page.getByRole('searchbox');
  const text = 'hk-1999 on the shelf';
  const beforeTyping = await used();
  const typing = await countFrames(page, async () => {
    for (let n = 0; n < rounds; n += 1) {
      await search.fill('');
      await search.pressSequentially(text, { delay: 60 });
      // The table follows when nothing more is typed.
      await page.waitForTimeout(300);
    }
  });
  const keyWork = ((await used()) - beforeTyping) / (rounds * text.length);
  await search.fill('');
  await page.locator('tbody button[aria-label^="Edit Name of hk-"]').first().click();
  const editing = await countFrames(page, async () => {
    await page.keyboard.type(text.repeat(2), { delay: 60 });
  });
  await page.keyboard.press('Escape');
  return { shown, still, scrolling, sideways, typing, editing, stepWork, keyWork };
};

/** The Phones page in a real browser with a large fleet: how soon an answer is on screen, and how smooth it stays. */
const definition: Definition = {
  title: `The Phones page with ${PHONES} phones`,
  run: async ({ quick }) => {
    const folder = await mkdtemp(join(tmpdir(), 'posthorn-phones-page-'));
    const posthorn = await openPosthorn(folder);
    const browser = await chromium.launch({
      executablePath: await findBrowser(() => {}),
      args: ['--no-sandbox'],
    });
    try {
      await addPhones(posthorn.db, PHONES);
      const [person] = await posthorn.customers(1, 0);
      if (!person) throw new Error('nobody can look');
      await sql`update accounts set admin = true where id = ${person.accountId}`.execute(posthorn.db);
      const { url } = await posthorn.start(['web']);
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
      await watchPage(page);
      const session = await signIn(url, person);
      await page.addInitScript((given) => {
        for (const [key, value] of Object.entries(given)) localStorage.setItem(key, value);
      }, session);
      const { shown, ...frames } = await measure(page, url, quick ? 2 : 10);
      const slowest = Math.max(...shown);
      return {
        rows: [
          {
            what: `the answer's arrival until it is on screen, the slowest of ${shown.length} (ms)`,
            figure: slowest,
          },
          { what: 'frames in the slowest second of a still page, to compare', figure: frames.still },
          { what: 'frames in the slowest second of scrolling', figure: frames.scrolling },
          { what: 'the same, sideways', figure: frames.sideways },
          { what: 'frames in the slowest second of typing a search', figure: frames.typing },
          { what: 'frames in the slowest second of typing in a cell', figure: frames.editing },
          { what: 'the work of a step of 300 pixels (ms of CPU)', figure: frames.stepWork },
          { what: 'the work of a typed character (ms of CPU)', figure: frames.keyWork },
        ],
        figures: { onScreenMs: slowest, ...frames },
        bars: [
          { figure: 'onScreenMs', max: 300 },
          { figure: 'scrolling', min: 55 },
          { figure: 'typing', min: 55 },
          { figure: 'editing', min: 55 },
        ],
      };
    } finally {
      await browser.close();
      await posthorn.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
};
export default definition;
