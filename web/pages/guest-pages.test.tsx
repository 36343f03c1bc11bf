import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, inject, test, vi } from 'vitest';
import type { Registration } from '../../contract/customer/accounts.ts';
import { LANGUAGES } from '../../contract/ground/constants.ts';
import { openPage, STARTUP, setServer, unanswered } from '../testing/open-page.tsx';
import { ACCOUNT_ID, EMPTY, type Replies } from '../testing/replies.ts';

vi.mock('../traffic/startup/startup.ts', () => ({ startup: () => STARTUP }));

const session = { token: 'token', accountId: ACCOUNT_ID };
const message = 'As the server says it.';

/** Each page by the labels of its texts. */
const FORMS: {
  path: string;
  title: string;
  button: string;
  fields: Record<string, string>;
  box?: string;
  /** What is said when nothing was typed. */
  faults: string[];
  /** Before the server's words. */
  failing: string;
  done: string;
  reply: Replies;
}[] = [
  {
    path: '/login',
    title: 'login.title',
    button: 'login.button',
    fields: { 'guest.email': 'someone@example.com', 'guest.password': 'secret-word' },
    faults: ['guest.email_invalid', 'guest.password_empty'],
    failing: 'guest.error',
    done: 'profile.title',
    reply: { ...EMPTY, 'POST /account/login': session },
  },
  {
    path: '/register',
    title: 'register.title',
    button: 'register.button',
    fields: {
      'guest.email': 'someone@studio.photography',
      'guest.password': 'secret-word',
      'register.repeat_password': 'secret-word',
    },
    box: 'register.accept',
    faults: ['guest.email_invalid', 'guest.password_empty', 'register.terms_missing'],
    failing: 'guest.error',
    done: 'register.send_again',
    reply: { 'POST /account/register': { message } },
  },
  {
    path: '/forgot-password',
    title: 'forgot_password.title',
    button: 'forgot_password.button',
    fields: { 'guest.email': 'someone@example.com' },
    faults: ['guest.email_invalid'],
    failing: 'guest.error_occurred',
    done: 'forgot_password.sent',
    reply: { 'POST /account/forgotPassword': { message } },
  },
  {
    path: '/reset-password?token=abc',
    title: 'reset_password.title',
    button: 'reset_password.button',
    fields: {
      'reset_password.new_password': 'secret-word',
      'reset_password.confirm_password': 'secret-word',
    },
    faults: [],
    failing: 'guest.error_occurred',
    done: 'reset_password.changed',
    reply: { 'POST /account/resetPassword': session },
  },
];

const shown = () => document.body.textContent ?? '';

describe.each(LANGUAGES)('%s', (language) => {
  const text = (label: string) => inject('pageTexts')[label]?.[language] ?? `no text: ${label}`;
  /** Without its placeholders. */
  const start = (label: string) => text(label).split('{{')[0] ?? '';

  describe.each(FORMS)('$path', ({ path, title, button, fields, box, faults, failing, done, reply }) => {
    const submit = () => fireEvent.click(screen.getByRole('button', { name: text(button) }));
    const open = (server: Replies | 'silent' | 'failing') =>
      openPage(path, { server, guest: true, language });
    const fill = () => {
      for (const [label, value] of Object.entries(fields))
        fireEvent.change(screen.getByLabelText(text(label)), { target: { value } });
      if (box) fireEvent.click(screen.getByRole('checkbox'));
    };

    test('is empty at first, and all that is missing is said at once', async () => {
      await open({});
      expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(text(title));
      expect(screen.queryByRole('alert')).toBeNull();
      expect(shown()).not.toMatch(/\[[a-z_]+\.[a-z_.]+\]/);
      if (faults.length === 0) return;
      submit();
      await waitFor(() =>
        expect(screen.getAllByRole('alert').map((alert) => alert.textContent)).toEqual(faults.map(text)),
      );
      expect(document.activeElement).toBe(screen.getByLabelText(text(Object.keys(fields)[0] ?? '')));
      expect(unanswered).toEqual([]);
    });

    test('waits for the answer without a second click', async () => {
      await open('silent');
      fill();
      submit();
      await waitFor(() =>
        expect(screen.getByRole<HTMLButtonElement>('button', { name: text(button) }).disabled).toBe(true),
      );
      expect(screen.queryByRole('alert')).toBeNull();
      expect(shown()).not.toContain(text(done));
    });

    test('says what went wrong, keeps what was typed, and works the next time', async () => {
      await open('failing');
      fill();
      submit();
      const alert = await screen.findByRole('alert');
      expect(alert.textContent).toContain(start(failing));
      expect(alert.textContent).toContain('Not now.');
      for (const [label, value] of Object.entries(fields))
        expect(screen.getByLabelText<HTMLInputElement>(text(label)).value).toBe(value);
      setServer(reply);
      submit();
      await waitFor(() => expect(shown()).toContain(text(done)));
      expect(unanswered).toEqual([]);
    });
  });

  describe('/register says who may', () => {
    afterEach(() => {
      Object.assign(STARTUP, { registration: 'open', contactEmail: '' });
    });
    const open = (path: string, registration: Registration) => {
      Object.assign(STARTUP, { registration, contactEmail: 'operator@example.com' });
      return openPage(path, {
        server: { 'POST /account/register': { message } },
        guest: true,
        language,
      });
    };

    test.each([
      ['closed', '/register', 'register.closed'],
      ['invitation', '/register', 'register.by_invitation'],
    ] as const)('%s: %s shows no form', async (registration, path, label) => {
      await open(path, registration);
      expect(shown()).toContain(text(label));
      expect(screen.queryByLabelText(text('guest.password'))).toBeNull();
      expect(screen.getByRole('link', { name: 'operator@example.com' })).toBeTruthy();
      expect(screen.getByRole('link', { name: text('guest.to_login') })).toBeTruthy();
    });

    // The server decides whether it is an invitation: admins are invited whoever else may register.
    test('closed: the link of an invitation shows the form', async () => {
      await open('/register?token=abc&email=ann%40example.com', 'closed');
      expect(screen.getByLabelText(text('guest.password'))).toBeTruthy();
    });

    test('by invitation: the link fills in the email, and its token is sent', async () => {
      await open('/register?token=abc&email=ann%40example.com', 'invitation');
      expect(shown()).toContain(text('register.invited'));
      expect(screen.getByLabelText<HTMLInputElement>(text('guest.email')).value).toBe('ann@example.com');
      for (const label of ['guest.password', 'register.repeat_password'])
        fireEvent.change(screen.getByLabelText(text(label)), { target: { value: 'secret-word' } });
      fireEvent.click(screen.getByRole('checkbox'));
      const fetched = vi.mocked(fetch);
      const spy = vi.fn(fetched);
      vi.stubGlobal('fetch', spy);
      fireEvent.click(screen.getByRole('button', { name: text('register.button') }));
      await waitFor(() => expect(shown()).toContain(message));
      const bodies = spy.mock.calls.map(([, init]) => String(init?.body));
      expect(bodies.some((body) => body.includes('"invitation":"abc"'))).toBe(true);
    });
  });

  describe('/activate', () => {
    const open = (token: string, server: Replies | 'silent' | 'failing') =>
      openPage(`/activate?token=${language}-${token}`, { server, guest: true, language });

    test('says that it is under way', async () => {
      await open('slow', 'silent');
      expect(screen.getByRole('status').textContent).toBe(text('activate.running'));
    });

    test('says what went wrong, and tries again until it is done', async () => {
      await open('late', 'failing');
      const alert = await screen.findByRole('alert');
      expect(alert.textContent).toBe(`${text('guest.error_occurred')}Not now.`);
      setServer({ 'POST /activate': session });
      fireEvent.click(screen.getByRole('button', { name: text('layout.try_again') }));
      await waitFor(() => expect(shown()).toContain(text('activate.done')));
      expect(screen.getByRole('link', { name: text('guest.to_profile') })).toBeTruthy();
      expect(unanswered).toEqual([]);
    });
  });
});
