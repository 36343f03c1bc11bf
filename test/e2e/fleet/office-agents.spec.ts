import { randomBytes, randomUUID } from 'node:crypto';
import {
  AGENT_PATH,
  AGENT_PROTOCOL,
  type Hello,
  type ServerFrame,
} from '../../../contract/fleet/agent-protocol.ts';
import { LANGUAGES } from '../../../contract/ground/constants.ts';
import { asAdmin, openPage } from '../customer/customers.ts';
import { expectToast } from '../expect-toast.ts';
import { expect, test } from '../fixtures.ts';
import { texts } from '../texts.ts';

test.use({ viewport: { width: 1440, height: 900 } });

/** An agent that joins by its key, without modems unless given. */
const joinAgent = (
  url: string,
  { name, key, modems = [] }: { name: string; key: string; modems?: Hello['modems'] },
) => {
  const frames: ServerFrame[] = [];
  const state = { isClosed: false };
  const hello: Hello = {
    type: 'hello',
    protocol: AGENT_PROTOCOL,
    agentId: randomUUID(),
    secret: randomBytes(32).toString('base64url'),
    key,
    name,
    version: '0.0.1',
    modems,
    holds: [],
  };
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}${AGENT_PATH}`);
  socket.onopen = () => socket.send(JSON.stringify(hello));
  socket.onmessage = ({ data }) => void frames.push(JSON.parse(data));
  socket.onclose = () => {
    state.isClosed = true;
  };
  return { frames, state };
};

for (const language of LANGUAGES)
  test.describe(language, () => {
    test.use({ language });
    const t = texts(language);

    test('an admin makes a key, and the agent that joins by it gets new settings and is removed', async ({
      page,
      program,
    }) => {
      const name = `pi-${randomBytes(4).toString('hex')}`;
      const toasted = (label: string) => expectToast(page, t, t(label));
      const call = await asAdmin(page, program);
      const stored = async () =>
        (await call('GET /admin/agents')).agents.find((agent) => agent.name === name);
      await openPage(page, '/dashboard/phone/agents', t('agents.title'));
      await page.getByRole('button', { name: t('agents.make_key'), exact: true }).click();
      const command = page.getByRole('region', { name: t('agents.command'), exact: true }).locator('code');
      await expect(command).toContainText(/--key [\w-]{32}/);
      const key = /--key ([\w-]+)/.exec((await command.textContent()) ?? '')?.[1] ?? '';
      await expect(page.getByRole('button', { name: t('agents.make_key_again'), exact: true })).toBeVisible();

      const agent = joinAgent(program.url, { name, key });
      await expect.poll(() => agent.frames.map(({ type }) => type)).toContain('welcome');
      await page.reload();
      const row = page.getByRole('row').filter({ hasText: name });
      await expect(row).toContainText(t('agents.connected'));
      await row.click();
      const panel = page.getByRole('dialog', { name, exact: true });

      await panel.getByRole('button', { name: t('agents.settings'), exact: true }).click();
      const editing = page.getByRole('dialog', { name: t('agents.settings'), exact: true });
      const field = (label: string) => editing.getByLabel(t(label), { exact: true });
      const save = editing.getByRole('button', { name: t('contacts.save'), exact: true });
      await expect(editing).toContainText(t('agents.settings_hint'));
      await field('agents.heartbeat').fill('999');
      await field('agents.balance_code').fill('balance');
      await save.click();
      await expect(editing.getByText(t('layout.number_invalid', { least: 1, most: 120 }))).toBeVisible();
      await expect(editing.getByText(t('agents.code_invalid'))).toBeVisible();
      await field('agents.heartbeat').fill('45');
      await field('agents.balance_code').fill('*101#');
      await save.click();
      await toasted('agents.settings_saved');
      await expect(editing).toBeHidden();
      await expect(panel).toContainText('*101#');
      const settings = { heartbeatSeconds: 45, balanceCode: '*101#' };
      expect((await stored())?.settings).toEqual(settings);
      await expect.poll(() => agent.frames).toContainEqual({ type: 'settings', settings });

      await panel.getByRole('button', { name: t('agents.remove'), exact: true }).click();
      const removing = page.getByRole('dialog', { name: t('agents.remove_title'), exact: true });
      await expect(removing).toContainText(t('agents.remove_text', { agent: name }));
      await removing.getByRole('button', { name: t('agents.remove'), exact: true }).click();
      await toasted('agents.removed');
      await expect(row).toHaveCount(0);
      await expect.poll(() => agent.state.isClosed).toBe(true);
      expect(await stored()).toBeUndefined();
    });

    test('a SIM that moved to another agent is confirmed by an operator, whom the overview tells of it', async ({
      page,
      program,
    }) => {
      const tail = randomBytes(4).toString('hex');
      const [home, away] = [`home-${tail}`, `away-${tail}`];
      const call = await asAdmin(page, program);
      const imsi = `454${String(randomBytes(5).readUIntBE(0, 5)).padStart(12, '0').slice(-12)}`;
      const joined = async (name: string) => {
        const { key } = await call('POST /admin/agentKeys');
        const agent = joinAgent(program.url, { name, key, modems: [{ name: 'm1', driver: 'serial', imsi }] });
        await expect.poll(() => agent.frames.map(({ type }) => type)).toContain('welcome');
      };
      await joined(home);
      await joined(away);
      await openPage(page, '/dashboard/overview', t('overview.title'));
      const concern = page.getByRole('listitem').filter({ hasText: t('overview.concern.sims_moved') });
      await expect(concern).toContainText(`${home}-m1`);
      await concern.getByRole('link').click();
      await expect(page.getByRole('row').filter({ hasText: away })).toContainText(
        t('agents.moved', { phone: `${home}-m1` }),
      );
      await expect(page.getByRole('row').filter({ hasText: home }).filter({ hasNotText: away })).toHaveCount(
        0,
      );
      await page.getByRole('row').filter({ hasText: away }).click();
      const panel = page.getByRole('dialog', { name: away, exact: true });
      await expect(panel).toContainText(t('agents.moved', { phone: `${home}-m1` }));
      await panel.getByRole('button', { name: t('agents.moved_confirm'), exact: true }).click();
      const dialog = page.getByRole('dialog', { name: t('agents.moved_title', { phone: `${home}-m1` }) });
      await dialog.getByRole('button', { name: t('agents.moved_confirm'), exact: true }).click();
      await expectToast(page, t, t('agents.moved_done', { phone: `${home}-m1`, agent: away }));
      await expect(panel).not.toContainText(t('agents.moved', { phone: `${home}-m1` }));
    });
  });
