const GUEST_PATHS = ['/login', '/register', '/forgot-password', '/reset-password', '/activate'];
/** The pages that signing in opens by default. */
const LANDING_PATHS = ['/dashboard', '/dashboard/profile'];

/**
 * The path to go to after signing in, or nothing. Only this site's own paths count, so that a link to the
 * sign-in page cannot send anyone elsewhere; the browser's own parser decides what an address means.
 */
export const safeReturnPath = (value: unknown, origin: string): string | undefined => {
  if (typeof value !== 'string' || !value.startsWith('/') || !URL.canParse(value, origin)) return undefined;
  const url = new URL(value, origin);
  if (url.origin !== origin || GUEST_PATHS.includes(url.pathname)) return undefined;
  return `${url.pathname}${url.search}${url.hash}`;
};

/** The search part of the sign-in page that brings someone back to where they wanted to go. */
export const returnSearch = (href: string): { returnTo?: string } =>
  LANDING_PATHS.includes(href) ? {} : { returnTo: href };
