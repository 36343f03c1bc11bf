import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isPage, looksLikePage } from '../../contract/pages.ts';
import { DomainError } from '../ground/domain-error.ts';
import { StartFault } from '../ground/terminal/index.ts';
import { translationVersion } from '../ground/translations/index.ts';
import { openFirstScripts } from './first-scripts.ts';

const ASSET_MAX_AGE_MS = 365 * 24 * 3600 * 1000;

/** The page with the card provider's form: the only one whose document may reach the provider's hosts. */
const PAYMENTS_PATH = /^\/dashboard\/payments\/?$/;

/** What Stripe's form needs: https://docs.stripe.com/security/guide#content-security-policy */
const STRIPE_HOSTS = {
  script: ' https://js.stripe.com https://*.js.stripe.com',
  frame: ' https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
  connect: ' https://api.stripe.com',
  img: ' https://*.stripe.com',
};
const NO_HOSTS: typeof STRIPE_HOSTS = { script: '', frame: '', connect: '', img: '' };

/** Styles need the nonce because the component library writes style elements; scripts are files of ours only. */
const policy = (nonce: string, hosts: typeof STRIPE_HOSTS): string =>
  [
    "default-src 'self'",
    `script-src 'self'${hosts.script}`,
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data:${hosts.img}`,
    `connect-src 'self'${hosts.connect}`,
    `frame-src 'self'${hosts.frame}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

export interface PagesOptions {
  pagesFolder: string;
  /** Whether the payments page shows Stripe's form, whose script and frames come from Stripe's own hosts. */
  paymentsHosts: boolean;
}

/**
 * Serves the built web, and its index for every path that the browser's router knows. It is also what says that there is
 * no such page; a file that is not there is refused without it.
 */
export const registerPages = async (
  app: FastifyInstance,
  { pagesFolder: folder, paymentsHosts }: PagesOptions,
): Promise<void> => {
  let index: string;
  try {
    index = readFileSync(join(folder, 'index.html'), 'utf8').replace(
      '__TRANSLATION_VERSION__',
      translationVersion,
    );
  } catch (error) {
    throw new StartFault('The web pages are not built: run `npm start`, which builds them.', {
      cause: error,
    });
  }
  const firstScripts = openFirstScripts(folder);
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    wildcard: false,
    preCompressed: true,
    // Only with its nonce filled in, below.
    allowedPath: (path) => !path.endsWith('/index.html'),
    setHeaders: (reply, path) => {
      if (path.includes('/assets/'))
        reply.header('cache-control', `public, max-age=${ASSET_MAX_AGE_MS / 1000}, immutable`);
    },
  });
  app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?')[0] ?? '/';
    const known = isPage(path);
    if (!known && !looksLikePage(path)) throw new DomainError('E_NOT_FOUND');
    const nonce = randomBytes(16).toString('base64');
    const hosts = paymentsHosts && PAYMENTS_PATH.test(path);
    // The policy belongs to the document, so the page has to know whether it must reload for the form.
    const cardHosts = hosts ? 'allowed' : paymentsHosts ? 'refused' : 'not-needed';
    return reply
      .code(known ? 200 : 404)
      .header('content-security-policy', policy(nonce, hosts ? STRIPE_HOSTS : NO_HOSTS))
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(
        index
          .replaceAll('__CSP_NONCE__', nonce)
          .replace('__CARD_HOSTS__', cardHosts)
          .replace('</head>', `${firstScripts(path)}</head>`),
      );
  });
};
