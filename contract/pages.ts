/**
 * The address of every page, as the browser's router writes them: `$name` stands for any segment. Where there is no page
 * the server answers 404, so a page that is missing here is refused by a test.
 */
export const PAGES = [
  '/',
  '/terms_condition',
  '/privacy_policy',
  '/mailbox',
  '/login',
  '/register',
  '/forgot-password',
  '/reset-password',
  '/activate',
  '/dashboard',
  '/dashboard/profile',
  '/dashboard/devices',
  '/dashboard/messages',
  '/dashboard/messages/log',
  '/dashboard/messages/send',
  '/dashboard/messages/details/$messageId',
  '/dashboard/messages/batches',
  '/dashboard/messages/batches/$batchId',
  '/dashboard/messages/contacts',
  '/dashboard/messages/opt-outs',
  '/dashboard/integration',
  '/dashboard/integration/events',
  '/dashboard/settings',
  '/dashboard/payments',
  '/dashboard/billing',
  '/dashboard/overview',
  '/dashboard/other-role',
  '/dashboard/report',
  '/dashboard/lanes',
  '/dashboard/prices',
  '/dashboard/retention',
  '/dashboard/phone',
  '/dashboard/phone/agents',
  '/dashboard/accounts',
  '/dashboard/admins',
  '/dashboard/audit',
  '/dashboard/in-doubt',
  '/dashboard/queue/$jobId',
  '/dashboard/unassigned',
  '/qf',
  '/qf/query',
  '/qf/payment',
] as const;

/** Slashes at the end make no difference. */
const segmentsOf = (path: string): string[] => {
  const segments = path.split('/');
  while (segments.length > 1 && segments.at(-1) === '') segments.pop();
  return segments;
};

const PATTERNS = PAGES.map(segmentsOf);

/** Undefined if it is not encoded as addresses are. */
const decoded = (path: string): string[] | undefined => {
  try {
    return segmentsOf(path).map((segment) => decodeURIComponent(segment).toLowerCase());
  } catch {
    return undefined;
  }
};

/** Whether this was meant as a page, whether there is one or not: files have an ending, or are in these folders. */
export const looksLikePage = (path: string): boolean =>
  !/^\/(api|assets|samples)(\/|$)/.test(path) && !path.slice(path.lastIndexOf('/')).includes('.');

/** Whether the browser's router has a page at this path, which is without a query; it takes capital letters too. */
export const isPage = (path: string): boolean => {
  const segments = decoded(path);
  return PATTERNS.some(
    (pattern) =>
      pattern.length === segments?.length &&
      pattern.every((part, at) => part.startsWith('$') || part === segments[at]),
  );
};
