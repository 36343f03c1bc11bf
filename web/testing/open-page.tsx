import { MantineProvider } from '@mantine/core';
import { RouterProvider } from '@tanstack/react-router';
import { act, cleanup, configure, render, waitFor } from '@testing-library/react';
import { afterAll, expect, inject, vi } from 'vitest';
import type { CallName, Reply } from '../../contract/calls.ts';
import type { AdminRole } from '../../contract/customer/admin-roles.ts';
import { queryClient } from '../ground/api/query-client.ts';
import { saveSession } from '../ground/api/session.ts';
import { setTexts } from '../ground/i18n/translate.ts';
import { theme } from '../ground/ui/theme.ts';
import { ACCOUNT_ID, type Replies } from './replies.ts';

/** Nothing depends on how fast the machine is. */
configure({ asyncUtilTimeout: 30_000 });

declare module 'vitest' {
  interface ProvidedContext {
    /** The texts of the pages, by label and language. */
    pageTexts: Record<string, Record<'en_US' | 'zh_HK', string>>;
    /** What admins of each role may call, by the server's route table. */
    roleCalls: Record<AdminRole, string[]>;
  }
}

export const STARTUP: Reply<'GET /startup'> = {
  carrierNameMap: {},
  availableSmsCountryCodes: [{ countryCode: '+852', country: 'HK' }],
  translationVersion: '1',
  languages: [
    { code: 'en_US', name: 'English' },
    { code: 'zh_HK', name: '繁體中文' },
  ],
  contactEmail: '',
  sourceUrl: '',
  channels: {
    sms: { available: true, simulated: true },
    whatsapp: { available: true, simulated: true },
    email: { available: true, simulated: true },
  },
  registration: 'open',
  mailbox: false,
};

/** A reply, one that never comes, or a refusal of every call but those for the layout. */
export type Server = Replies | 'silent' | 'failing';

const answer = (status: number, content: unknown) =>
  new Response(JSON.stringify(content), { status, headers: { 'content-type': 'application/json' } });

const pattern = (name: string) => {
  const [method, path = ''] = name.split(' ');
  return { method, path: new RegExp(`^/api${path.replace(/:\w+/g, '[^/]+')}$`) };
};

let server: Server = 'silent';

/** From now on the server answers otherwise. */
export const setServer = (next: Server): void => {
  server = next;
};

/** Calls that a test gives no reply for; a page that makes one is not covered by its test. */
export const unanswered: string[] = [];

const serve = (layout: Replies) => async (input: unknown, init?: RequestInit) => {
  const { pathname } = new URL(String(input), 'http://localhost');
  const method = init?.method ?? 'GET';
  const of = (replies: Replies) =>
    (Object.keys(replies) as CallName[]).find((name) => {
      const known = pattern(name);
      return known.method === method && known.path.test(pathname);
    });
  const fromLayout = of(layout);
  if (fromLayout) return answer(200, layout[fromLayout]);
  if (server === 'silent') return new Promise<Response>(() => {});
  if (server === 'failing')
    return answer(503, { code: 'E_UNAVAILABLE', message: 'Not now.', requestId: 'r' });
  const name = of(server);
  if (name) return answer(200, server[name]);
  unanswered.push(`${method} ${pathname}`);
  return answer(500, { code: 'E_INTERNAL', message: 'no reply', requestId: 'r' });
};

interface Opening {
  server: Server;
  /** Without a session. */
  guest?: true;
  /** What is answered even by a server that is silent or fails. */
  layout?: Replies;
  language?: 'en_US' | 'zh_HK';
}

let mounted = false;

/** What React has begun must be over before its document is gone: it works on in turns of the event loop. */
const TURNS = 20;
afterAll(async () => {
  setServer('silent');
  await queryClient.cancelQueries();
  queryClient.clear();
  cleanup();
  for (let turn = 0; turn < TURNS; turn += 1) await new Promise((resolve) => setTimeout(resolve));
});

/** The pages are mounted once for a file of tests; the way over another page resets what a page holds. */
const goTo = async (path: string) => {
  const { router } = await import('../router.ts');
  if (!mounted) {
    router.history.push('/not_found');
    render(
      <MantineProvider theme={theme}>
        <RouterProvider router={router} />
      </MantineProvider>,
    );
    mounted = true;
  }
  await act(() => router.navigate({ href: path }));
};

/** Texts that are hardly more than what is filled in, such as '3 of 10', are known by their figures. */
const asPattern = (text: string) => {
  const own = text.replace(/\{\{\w+\}\}/g, '').match(/\p{L}/gu) ?? [];
  const filled = own.length < 3 ? '[\\d.,]+' : '.+';
  return new RegExp(`^${RegExp.escape(text).replace(/\\\{\\\{(\w+)\\\}\\\}/g, `(?<$1>${filled})`)}$`);
};

/** What an English text is in another language; a short one may stand for several. */
export const textsIn = (language: 'en_US' | 'zh_HK', text: string): string[] =>
  Object.values(inject('pageTexts')).flatMap((texts) => (texts.en_US === text ? [texts[language]] : []));

/** The same text in another language, also if it was filled in; what is no text of the pages stays as it is. */
export const textIn = (language: 'en_US' | 'zh_HK', text: string): string => {
  const [same] = textsIn(language, text);
  if (same) return same;
  for (const texts of Object.values(inject('pageTexts')).filter(({ en_US }) => en_US.includes('{{'))) {
    const found = asPattern(texts.en_US).exec(text);
    if (found)
      return texts[language].replace(/\{\{(\w+)\}\}/g, (_, name: string) => found.groups?.[name] ?? '');
  }
  return text;
};

/** As on a site that is reached by http, where it is missing. */
Object.defineProperty(crypto, 'randomUUID', { value: undefined });

/** The document lacks what a text area listens to, to grow when its font comes. */
if (!document.fonts) Object.defineProperty(document, 'fonts', { value: new EventTarget() });

/** Opens a page with a server that answers as told. */
export const openPage = async (path: string, opening: Opening) => {
  const { server: first, guest, layout = {}, language = 'en_US' } = opening;
  setTexts(
    Object.fromEntries(Object.entries(inject('pageTexts')).map(([label, texts]) => [label, texts[language]])),
  );
  await goTo('/not_found');
  localStorage.clear();
  localStorage.setItem('activeLang', language);
  queryClient.clear();
  unanswered.length = 0;
  if (!guest) saveSession({ token: 'token', accountId: ACCOUNT_ID, email: 'someone@example.com' });
  setServer(first);
  vi.stubGlobal('fetch', serve(layout));
  await goTo(path);
  await waitFor(() => expect(document.querySelector('h1')).not.toBeNull());
};
