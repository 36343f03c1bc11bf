import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isPage, PAGES } from '../contract/pages.ts';
import { router } from './router.ts';

const NOT_FOUND = '/not_found';

/** As the router knows them; `$` stands for all that there is not, and leads to the page that says so. */
const routed = Object.keys(router.routesByPath)
  .map((path) => (path === '/' ? path : path.replace(/\/$/, '')))
  .filter((path) => !path.endsWith('$') && path !== NOT_FOUND);

/** With a value for each of its parameters. */
const filled = (path: string): string => path.replace(/\$\w+/g, '0f3a.b%20c');

test('the server knows each page that the browser’s router has, and no other', () => {
  expect([...PAGES].sort()).toEqual([...new Set(routed)].sort());
  expect(PAGES.filter((path) => !isPage(filled(path)))).toEqual([]);
  expect(isPage(NOT_FOUND)).toBe(false);
});

/** As the browser reads an address that somebody typed. */
const isRouted = (path: string): boolean => {
  const { pathname } = new URL(`http://localhost${path}`);
  const read = { pathname, href: pathname, search: '', hash: '', state: { __TSR_index: 0 } };
  const [, , found] = router.getMatchedRoutes(router.parseLocation(read).pathname);
  return found !== undefined && !found.fullPath.endsWith('$');
};

test('a typed address is a page for the server if it is one for the browser', () => {
  const addresses = [
    ...PAGES.flatMap((path) => [
      filled(path),
      `${filled(path)}/`,
      `${filled(path)}/more`,
      `/x${filled(path)}`,
    ]),
    ...['//login', '/login//', '/dashboard//profile', '/LOGIN', '/Dashboard/Messages/details/ABC'],
    ...['/%6Cogin', '/lo%2Fgin', '/dashboard%2Fprofile', '/login%20', '/%', '/dashboard/messages/details/%'],
    ...[
      '/dashboard/messages/details',
      '/dashboard/messages/details/%2F',
      '/qf/nowhere',
      '/login.html',
      '/x/y',
    ],
  ];
  expect(addresses.filter((path) => isPage(path) !== isRouted(path))).toEqual([]);
});

/** Of the rule that fits best, as crawlers read the file: the longest one. */
const mayCrawl = (path: string): boolean => {
  const rules = readFileSync('web/public/robots.txt', 'utf8').matchAll(/^(Allow|Disallow): (\S+)$/gm);
  const [best] = [...rules]
    .filter(([, , start = '']) => path.startsWith(start))
    .sort(([, , one = ''], [, , other = '']) => other.length - one.length);
  return best?.[1] !== 'Disallow';
};

test('robots.txt opens the pages that are for all, and closes the others', () => {
  expect(PAGES.filter((path) => mayCrawl(path))).toEqual([
    '/',
    '/terms_condition',
    '/privacy_policy',
    '/login',
    '/register',
    '/forgot-password',
  ]);
  expect(['/assets/index.js', '/favicon.svg', '/api/startup', '/api/translations'].every(mayCrawl)).toBe(
    true,
  );
  expect(['/api/accounts', '/unsubscribe/abc', '/jobs/queues'].some(mayCrawl)).toBe(false);
});
