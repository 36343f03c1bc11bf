import type { Caller } from './call.ts';

/**
 * Pages of another program that answer below a path of ours. Links carry no header: a ticket, which works once, becomes
 * a cookie for that path alone. They are only read: nothing but GET reaches them.
 */
export interface MountedPages {
  /** Such as `/jobs`; below it, `/enter` takes the ticket. */
  path: `/${string}`;
  cookie: string;
  cookieSeconds: number;
  /** The cookie's value for a ticket; undefined if the ticket does not work, or no longer. */
  enter: (ticket: string) => Promise<string | undefined>;
  /** The page that is opened first, by what else the link to `/enter` says. */
  landing: (asked: URLSearchParams) => `/${string}`;
  /** Which admin has it now; undefined if it admits nobody, or no longer. */
  admits: (cookie: string) => Promise<Pick<Caller, 'accountId' | 'role'> | undefined>;
  answer: (request: Request) => Promise<Response>;
}
