import type { AccountId } from '../../../contract/customer/accounts.ts';
import { LANGUAGES, type Language } from '../../../contract/ground/constants.ts';
import type { LinkedPageAnswer, LinkedPageInput, LinkedPages } from '../../ground/route/index.ts';
import { text } from '../../ground/translations/index.ts';
import type { OptOutsDeps } from './opt-outs-deps.ts';
import { findOptOut } from './store.ts';
import { resubscribe, unsubscribe } from './unsubscribe.ts';
import { type UnsubscribeState, unsubscribePage } from './unsubscribe-page.ts';
import { readUnsubscribeToken } from './unsubscribe-token.ts';

export interface UnsubscribeDeps extends OptOutsDeps {
  key: Buffer;
  /** Whether the account was closed and its data removed: it sends no more, so nothing is stored for it. */
  isGone: (accountId: AccountId) => Promise<boolean>;
}

/** A named parameter may have at most a hundred characters; a token has more. */
const PATH = '/unsubscribe/*';
const MAX_BYTES = 10_000;

/** What a mail program posts (RFC 8058), as either kind of form. Our own page also posts `page`. */
const ONE_CLICK = /(?:^|&)List-Unsubscribe=One-Click(?:&|$)|name="?List-Unsubscribe"?\s{1,9}One-Click\s/i;
const UNDO = /(?:^|&)undo=1(?:&|$)/;
const BY_PAGE = /(?:^|&)page=1(?:&|$)/;

const languageFor = ({ query: { lang }, language }: LinkedPageInput): Language =>
  LANGUAGES.find((known) => known === lang) ?? language;

const show = (asked: LinkedPageInput, state: UnsubscribeState, recipient = ''): LinkedPageAnswer => ({
  html: (nonce) => unsubscribePage({ state, recipient, language: languageFor(asked), nonce }),
  missing: state === 'invalid',
});

/**
 * The link in an email. It works without signing in. Opening it changes nothing, because programs open links too: only
 * a POST does.
 */
export const unsubscribePages = ({ key, isGone, ...optOuts }: UnsubscribeDeps): LinkedPages => ({
  [`GET ${PATH}` as const]: {
    maxBytes: MAX_BYTES,
    answer: async (asked) => {
      const addressee = readUnsubscribeToken(key, asked.rest);
      if (!addressee) return show(asked, 'invalid');
      const out = await findOptOut(optOuts.db, addressee);
      return show(asked, out ? 'out' : 'ask', addressee.recipient);
    },
  },
  [`POST ${PATH}` as const]: {
    maxBytes: MAX_BYTES,
    answer: async (asked) => {
      const { rest, body } = asked;
      const addressee = readUnsubscribeToken(key, rest);
      if (!addressee) return show(asked, 'invalid');
      if (UNDO.test(body)) {
        await resubscribe(optOuts, addressee);
        return show(asked, 'in', addressee.recipient);
      }
      // A form without these words may come from any program that follows links.
      if (!ONE_CLICK.test(body)) return show(asked, 'ask', addressee.recipient);
      if (!(await isGone(addressee.accountId))) await unsubscribe(optOuts, addressee);
      if (BY_PAGE.test(body)) return show(asked, 'out', addressee.recipient);
      return { text: text(languageFor(asked), 'unsubscribe.done') };
    },
  },
});
