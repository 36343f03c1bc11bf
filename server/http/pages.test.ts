import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openFirstScripts } from './first-scripts.ts';
import { registerPages } from './pages.ts';

describe('the policy of the pages', () => {
  let pagesFolder: string;
  const apps: FastifyInstance[] = [];

  beforeAll(async () => {
    pagesFolder = await mkdtemp(join(tmpdir(), 'posthorn-pages-'));
    await writeFile(join(pagesFolder, 'index.html'), '<meta name="card-hosts" content="__CARD_HOSTS__">');
  });
  afterAll(async () => {
    await Promise.all(apps.map((app) => app.close()));
    await rm(pagesFolder, { recursive: true });
  });

  const open = async (url: string, paymentsHosts: boolean) => {
    const app = fastify();
    apps.push(app);
    await registerPages(app, { pagesFolder, paymentsHosts });
    const { headers, body } = await app.inject({ url });
    const policy = String(headers['content-security-policy']);
    const sources = (name: string) =>
      policy
        .split('; ')
        .find((directive) => directive.startsWith(`${name} `))
        ?.split(' ')
        .slice(1);
    return { policy, sources, cardHosts: /content="([^"]*)"/.exec(body)?.[1] };
  };

  it.each(['/dashboard/payments', '/dashboard/payments/', '/dashboard/payments?tab=ledger'])(
    "%s may reach Stripe's hosts while Stripe is set",
    async (url) => {
      const { sources, cardHosts } = await open(url, true);
      expect(sources('script-src')).toEqual(["'self'", 'https://js.stripe.com', 'https://*.js.stripe.com']);
      expect(sources('frame-src')).toEqual([
        "'self'",
        'https://js.stripe.com',
        'https://*.js.stripe.com',
        'https://hooks.stripe.com',
      ]);
      expect(sources('connect-src')).toEqual(["'self'", 'https://api.stripe.com']);
      expect(sources('img-src')).toEqual(["'self'", 'data:', 'https://*.stripe.com']);
      expect(cardHosts).toBe('allowed');
    },
  );

  it.each(['/', '/dashboard/profile', '/dashboard/payments/more', '/login?x=/dashboard/payments'])(
    '%s may not, and knows that the payments page needs a document of its own',
    async (url) => {
      const { policy, cardHosts } = await open(url, true);
      expect(policy).not.toContain('stripe');
      expect(cardHosts).toBe('refused');
    },
  );

  it('no page may while Stripe is not set', async () => {
    const { policy, cardHosts } = await open('/dashboard/payments', false);
    expect(policy).not.toContain('stripe');
    expect(cardHosts).toBe('not-needed');
  });
});

it('names the scripts of the page and of its layout, each once, but none of the admins’', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'posthorn-pages-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, '.vite'));
  const manifest = {
    'index.html': { file: 'assets/index.js' },
    _shared: { file: 'assets/dashboard.js', imports: ['index.html'] },
    'pages/page-imports.ts': { file: 'assets/page-imports.js' },
    'pages/dashboard-layout.tsx': { file: 'assets/dashboard-layout.js', imports: ['_shared'] },
    'pages/customer/messages.tsx': { file: 'assets/messages.js', imports: ['_shared'] },
    'pages/admin/retention.tsx': { file: 'assets/retention.js' },
  };
  await writeFile(join(folder, '.vite/manifest.json'), JSON.stringify(manifest));
  const scripts = openFirstScripts(folder);
  const named = (path: string) =>
    [...scripts(path).matchAll(/assets\/([\w-]+)\.js/g)].map(([, name]) => name);
  expect(named('/dashboard/messages')).toEqual(['page-imports', 'dashboard-layout', 'dashboard', 'messages']);
  expect(named('/dashboard/retention')).toEqual(['page-imports', 'dashboard-layout', 'dashboard']);
  expect(named('/nowhere')).toEqual(['page-imports']);
});
