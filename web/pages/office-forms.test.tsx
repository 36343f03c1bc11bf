import { fireEvent, waitFor } from '@testing-library/react';
import { describe, expect, inject, test, vi } from 'vitest';
import type { AdminRole } from '../../contract/customer/admin-roles.ts';
import { LANGUAGES } from '../../contract/ground/constants.ts';
import { queryClient } from '../ground/api/query-client.ts';
import { button, field, hasButton, openRow, press, sent, submit, type } from '../testing/acts.ts';
import { FULL_ADMIN, lane } from '../testing/admin-replies.ts';
import { openPage, STARTUP, setServer, textIn } from '../testing/open-page.tsx';
import { FULL, profile, type Replies } from '../testing/replies.ts';
import { lanesQuery } from '../traffic/lanes/lanes-query.ts';

vi.mock('../traffic/startup/startup.ts', () => ({ startup: () => STARTUP }));

const AT = '2026-03-04T05:06:07.000Z';
const shown = () => document.body.textContent ?? '';
const ok = { status: 'ok' as const };
/** The button of the dialog that was opened last. */
const last = (text: string) => {
  const buttons = [...document.querySelectorAll('button')];
  fireEvent.click(buttons.findLast(({ textContent }) => textContent === text) as Element);
};

describe.each(LANGUAGES)('%s', (language) => {
  const t = (text: string) => textIn(language, text);
  /** Of texts that are written in several ways in Chinese. */
  const labelled = (label: string) => inject('pageTexts')[label]?.[language] ?? '';
  const open = async (path: string, role: AdminRole, replies: Replies) => {
    const layout: Replies = { 'GET /account/me/profile': profile(role) };
    await openPage(path, { server: { ...FULL, ...FULL_ADMIN, ...replies }, layout, language });
    vi.stubGlobal('fetch', vi.fn(fetch));
  };

  test('one price is set after what it changes was shown', async () => {
    const price = { channel: 'sms', country: 'SG', carrierName: '', range: '', unitPrice: '0.05' } as const;
    await open('/dashboard/prices', 'finance', {
      'POST /admin/prices': {
        begins: { ...price, priceId: null, validFrom: AT, validUntil: null },
        ends: [{ ...price, priceId: 4, unitPrice: '0.041', validFrom: AT, validUntil: AT }],
        drops: [],
      },
    });
    await press(t('Set a price'));
    await type(labelled('prices.unit_price'), 'free');
    await type(t('Country'), 'Singapore');
    await type(t('Valid from'), 'soon');
    await submit(t('Set a price'));
    await waitFor(() => expect(shown()).toContain(t('Enter a price above zero, such as 0.0325.')));
    expect(shown()).toContain(t('Enter two letters, or nothing.'));
    expect(shown()).toContain(t('Write the time as yyyy-MM-dd HH:mm.'));
    expect(sent('POST')).toEqual([]);
    await type(labelled('prices.unit_price'), '0.05');
    await type(t('Country'), 'sg');
    await type(t('Valid from'), '2030-01-01 00:00');
    await submit(t('Set a price'));
    const body = { ...price, validFrom: '2029-12-31T16:00:00.000Z' };
    await waitFor(() =>
      expect(sent('POST')).toEqual([{ path: '/api/admin/prices', body: { ...body, preview: true } }]),
    );
    await waitFor(() => expect(shown()).toContain(t('Set this price?')));
    last(t('Set a price'));
    await waitFor(() => expect(sent('POST').at(-1)?.body).toEqual({ ...body, preview: false }));
    await waitFor(() => expect(shown()).toContain(t('The price was set.')));
  });

  test('a price is ended after a question', async () => {
    await open('/dashboard/prices', 'finance', {
      'POST /admin/prices/:priceId/end': { begins: null, ends: [], drops: [] },
    });
    await openRow('Singtel');
    await press(t('End this price'));
    await waitFor(() => expect(document.querySelectorAll('[role="dialog"]')).toHaveLength(2));
    expect(sent('POST')).toEqual([]);
    last(t('End this price'));
    await waitFor(() =>
      expect(sent('POST')).toEqual([{ path: '/api/admin/prices/4/end', body: { preview: false } }]),
    );
  });

  test("a route's policy is changed in its line", async () => {
    await open('/dashboard/lanes', 'operator', { 'PUT /admin/routes': ok });
    const choice = await waitFor(() => {
      const found = document.querySelector(`select[aria-label="${t('Policy of sms')}"]`);
      if (!found) throw new Error('no choice');
      return found;
    });
    fireEvent.change(choice, { target: { value: 'spread' } });
    await waitFor(() =>
      expect(sent('PUT')).toEqual([{ path: '/api/admin/routes', body: { name: 'sms', policy: 'spread' } }]),
    );
  });

  test('prefixes of carriers are edited as lines, and a faulty line is named', async () => {
    await open('/dashboard/lanes', 'operator', { 'PUT /admin/carrierPrefixes': ok });
    await press(t('Edit prefixes'));
    expect((await field(t('Carriers by prefix'))).value).toBe('+8526 csl');
    await type(t('Carriers by prefix'), '+8526 csl\n8529 smartone');
    await submit(t('Edit prefixes'));
    await waitFor(() => expect(shown()).toContain(t("This line can't be read: 8529 smartone")));
    await type(t('Carriers by prefix'), '+8526 csl\n+8529 smartone');
    await submit(t('Edit prefixes'));
    await waitFor(() =>
      expect(sent('PUT')[0]?.body).toEqual({
        prefixes: [
          { prefix: '+8526', carrierName: 'csl' },
          { prefix: '+8529', carrierName: 'smartone' },
        ],
      }),
    );
  });

  test('a lane is added by the settings of its provider, and removed after a question', async () => {
    const removing: Replies = { 'DELETE /admin/lanes/:laneId': ok };
    await open('/dashboard/lanes', 'operator', { 'POST /admin/lanes': { laneId: 9 }, ...removing });
    await press(t('Add lane'));
    await type(labelled('lanes.name'), 'smpp-2');
    await type(t('Settings of the provider'), 'SMPP_URL = smpp://other\nnothing');
    await submit(t('Add lane'));
    await waitFor(() => expect(shown()).toContain(t('This line is no setting: nothing')));
    await type(t('Settings of the provider'), 'SMPP_URL = smpp://other');
    await submit(t('Add lane'));
    await waitFor(() =>
      expect(sent('POST')[0]?.body).toEqual({
        name: 'smpp-2',
        provider: 'smpp',
        settings: { SMPP_URL: 'smpp://other' },
      }),
    );
    await waitFor(() => expect(document.querySelector('form')).toBeNull());
    await openRow('smpp-hkt');
    await press(t('Remove'));
    await waitFor(() => expect(shown()).toContain(labelled('lanes.remove_text')));
    expect(sent('DELETE')).toEqual([]);
    last(t('Remove'));
    setServer({ ...FULL, ...FULL_ADMIN, 'GET /admin/lanes': { lanes: [], providers: [] }, ...removing });
    await waitFor(() => expect(sent('DELETE')).toMatchObject([{ path: '/api/admin/lanes/7' }]));
    // Its panel stays open: there is nothing more to do in it.
    const isOffered = (text: string) => hasButton(t(text));
    await waitFor(() =>
      expect(['Remove', 'Pause', 'Drain', 'Edit', 'Send a test'].filter(isOffered)).toEqual([]),
    );
    await waitFor(() => expect(document.activeElement?.textContent).toBe(t('The lane was removed.')));
  });

  test('of a lane only what was changed is sent, also if another admin changes the rest meanwhile', async () => {
    const changing: Replies = { 'PUT /admin/lanes/:laneId': ok };
    await open('/dashboard/lanes', 'operator', changing);
    await openRow('smpp-hkt');
    const opener = await button(t('Edit'));
    opener.focus();
    fireEvent.click(opener);
    await type(labelled('lanes.country_costs'), 'SG 0.03\nsg 0.3');
    await submit(labelled('lanes.edit_title').replace('{{lane}}', 'smpp-hkt'));
    await waitFor(() => expect(shown()).toContain(t("This line can't be read: sg 0.3")));
    const meanwhile = { lanes: [lane({ cost: '0.5', route: 'another' })], providers: [] };
    setServer({ ...FULL, ...FULL_ADMIN, 'GET /admin/lanes': meanwhile, ...changing });
    await queryClient.invalidateQueries(lanesQuery);
    await waitFor(() => expect(shown()).toContain('another'));
    await type(labelled('lanes.country_costs'), 'SG 0.03');
    await submit(labelled('lanes.edit_title').replace('{{lane}}', 'smpp-hkt'));
    await waitFor(() => expect(sent('PUT')[0]?.body).toEqual({ countryCosts: { SG: '0.03' } }));
    await waitFor(() => expect(document.activeElement?.textContent).toBe(t('Edit')));
  });

  test("an agent's settings are changed", async () => {
    await open('/dashboard/phone/agents', 'operator', { 'PUT /admin/agents/:agentId': ok });
    await openRow('pi-1');
    await press(t('Settings'));
    await type(t('Heartbeat in seconds'), '500');
    await type(t('Code for the balance'), '*101#');
    await submit(t('Settings'));
    await waitFor(() => expect(shown()).toContain(t('Enter a whole number from 1 to 120.')));
    await type(t('Heartbeat in seconds'), '30');
    await submit(t('Settings'));
    await waitFor(() => expect(sent('PUT')[0]?.body).toEqual({ heartbeatSeconds: 30, balanceCode: '*101#' }));
    await waitFor(() => expect(shown()).toContain(t('The settings were saved.')));
    await button(t('Settings'));
  });
});
