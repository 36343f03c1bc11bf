import type { OpenHttpClient } from '../../ground/http-client/index.ts';

/** One number of ours at Meta's Cloud API. */
export interface CloudOptions {
  phoneNumberId: string;
  token: string;
  /** Where the Graph API is. */
  apiBase: string;
  apiVersion: string;
  /** How many requests may be in flight. */
  window: number;
  /** How many messages a second at most: 80 is what a number may send unless Meta has raised it. */
  perSecond: number;
  /** An answer that takes longer never comes. */
  timeoutMs: number;
  /** How often an idle number is asked whether all is well. */
  probeMs: number;
  /** Between two tries while something is wrong: at first, and at most. */
  retry: { firstMs: number; maxMs: number };
  openHttpClient: OpenHttpClient;
}

/** What a number is set up with. */
type Given = 'phoneNumberId' | 'token' | 'openHttpClient';

/** Options with a usual value may be left out. */
export type CloudSettings = Partial<CloudOptions> & Pick<CloudOptions, Given>;

export const CLOUD_DEFAULTS: Omit<CloudOptions, Given> = {
  apiBase: 'https://graph.facebook.com',
  apiVersion: 'v23.0',
  window: 80,
  perSecond: 80,
  timeoutMs: 30_000,
  probeMs: 60_000,
  retry: { firstMs: 1_000, maxMs: 60_000 },
};
