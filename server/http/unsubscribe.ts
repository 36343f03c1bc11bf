import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AccountId } from '../../contract/accounts.ts';
import { LANGUAGES, type Language } from '../../contract/constants.ts';
import type { Limits } from '../limits/index.ts';
import { findOptOut, type OptOutsDeps, resubscribe, unsubscribe } from '../opt-outs/index.ts';
import { languageOf, text } from '../translations/index.ts';
import { readUnsubscribeToken } from '../unsubscribe-token.ts';
import { type UnsubscribeState, unsubscribePage } from './unsubscribe-page.ts';
import { addressOf } from './visit.ts';

export interface UnsubscribeDeps {
  optOuts: OptOutsDeps;
  key: Buffer;
  limits: Pick<Limits, 'consume'>;
  /** Whether the account was closed and its data removed: it sends no more, and nobody is noted down for it. */
  isGone: (accountId: AccountId) => Promise<boolean>;
}

/** A named parameter may have a hundred characters; a token has more. */
const PATH = '/unsubscribe/*';
const BODY_BYTES = 10_000;

/** What a mail program posts by itself (RFC 8058), as either kind of form. Our own page posts `page` besides. */
const ONE_CLICK = /(?:^|&)List-Unsubscribe=One-Click(?:&|$)|name="?List-Unsubscribe"?\s+One-Click\s/i;
const UNDO = /(?:^|&)undo=1(?:&|$)/;
const BY_PAGE = /(?:^|&)page=1(?:&|$)/;

const languageFor = (request: FastifyRequest): Language => {
  const { lang } = request.query as { lang?: unknown };
  return LANGUAGES.find((language) => language === lang) ?? languageOf(request.headers['accept-language']);
};

/**
 * The link in an email. It works without signing in. Looking at it changes nothing, for programs look at links too:
 * only what is posted does.
 */
export const registerUnsubscribe = (app: FastifyInstance, deps: UnsubscribeDeps): void => {
  const { optOuts, key, limits, isGone } = deps;
  const read = (request: FastifyRequest) =>
    readUnsubscribeToken(key, (request.params as { '*': string })['*']);

  const show = (request: FastifyRequest, reply: FastifyReply, state: UnsubscribeState, recipient = '') => {
    const nonce = randomBytes(16).toString('base64');
    return reply
      .code(state === 'invalid' ? 404 : 200)
      .header('cache-control', 'no-store')
      .header('referrer-policy', 'no-referrer')
      .header('x-robots-tag', 'noindex')
      .header(
        'content-security-policy',
        `default-src 'none'; style-src 'nonce-${nonce}'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      )
      .type('text/html; charset=utf-8')
      .send(unsubscribePage({ state, recipient, language: languageFor(request), nonce }));
  };

  app.register(async (scope) => {
    // Any kind of form, as text: mail programs send one or the other, and only two words of it matter.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_BYTES }, (_, body, done) =>
      done(null, body),
    );
    const schema = { hide: true };
    scope.get(PATH, { schema }, async (request, reply) => {
      await limits.consume('open-address', addressOf(request));
      const addressee = read(request);
      if (!addressee) return show(request, reply, 'invalid');
      const out = await findOptOut(optOuts.db, addressee);
      return show(request, reply, out ? 'out' : 'ask', addressee.recipient);
    });
    scope.post(PATH, { schema }, async (request, reply) => {
      await limits.consume('open-address', addressOf(request));
      const body = typeof request.body === 'string' ? request.body : '';
      const addressee = read(request);
      if (!addressee) return show(request, reply, 'invalid');
      if (UNDO.test(body)) {
        await resubscribe(optOuts, addressee);
        return show(request, reply, 'in', addressee.recipient);
      }
      // A form that says nothing of it may come from anything that follows links.
      if (!ONE_CLICK.test(body)) return show(request, reply, 'ask', addressee.recipient);
      if (!(await isGone(addressee.accountId))) await unsubscribe(optOuts, addressee);
      if (BY_PAGE.test(body)) return show(request, reply, 'out', addressee.recipient);
      return reply
        .header('cache-control', 'no-store')
        .type('text/plain; charset=utf-8')
        .send(text(languageFor(request), 'unsubscribe.done'));
    });
  });
};
