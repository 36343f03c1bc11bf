import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type AdminRole, hasRole } from '../../../contract/customer/admin-roles.ts';
import { DomainError } from '../../ground/domain-error.ts';
import type { MountedPages } from '../../ground/route/index.ts';
import { requestAddress } from '../defence/request-origin.ts';
import { admit, type GuardDeps } from '../guards.ts';

/** What is written into a page between its script tags, but for those that name a file. */
const inlineScripts = (html: string): string[] =>
  html
    .split('<script')
    .slice(1)
    .flatMap((part) => {
      const begin = part.indexOf('>');
      const end = part.indexOf('</script>', begin);
      const isFile = part.slice(0, begin).includes(' src=');
      return begin < 0 || end < 0 || isFile ? [] : [part.slice(begin + 1, end)];
    });

/** Only files of theirs, and the scripts that they have written into this very page. */
const policyFor = (html: string): string => {
  const hashes = inlineScripts(html).map(
    (script) => ` 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
  return [
    "default-src 'none'",
    `script-src 'self'${hashes.join('')}`,
    "style-src 'self' 'unsafe-inline' data:",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
};

const cookieOf = ({ headers }: FastifyRequest, name: string): string =>
  (headers.cookie ?? '')
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${name}=`))
    ?.slice(name.length + 1) ?? '';

/** What they are made of and look like shows nothing of anybody's. */
const isAsset = (answer: Response): boolean =>
  /^(text\/(css|javascript)|application\/javascript|image\/|font\/)/.test(
    answer.headers.get('content-type') ?? '',
  );

const MOST_SUBJECT = 200;
/** What is looked at: the path below theirs, by whichever way its data is read. */
const subjectOf = (pathname: string, path: string): string =>
  pathname.slice(path.length + 1, path.length + 1 + MOST_SUBJECT).replace(/\.data$/, '');

/** Their answer, with our policy; of their headers only what says how to read it. */
const send = async (reply: FastifyReply, answer: Response): Promise<FastifyReply> => {
  const body = Buffer.from(await answer.arrayBuffer());
  const type = answer.headers.get('content-type') ?? 'application/octet-stream';
  const location = answer.headers.get('location');
  if (location) reply.header('location', location);
  return reply
    .code(answer.status)
    .header('cache-control', answer.headers.get('cache-control') ?? 'no-store')
    .header('content-security-policy', policyFor(type.startsWith('text/html') ? body.toString() : ''))
    .type(type)
    .send(body);
};

/**
 * Pages of another program, for whoever has the cookie of their path and, at this moment, one of the roles. What is
 * looked at is kept in the audit log before it is shown.
 */
export const registerMountedPages = (
  app: FastifyInstance,
  { mounted: pages, roles }: { mounted: MountedPages; roles: readonly AdminRole[] },
  deps: GuardDeps,
): void => {
  const { path, cookie, cookieSeconds } = pages;
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { pathname, searchParams } = new URL(request.url, 'http://pages');
    if (pathname === `${path}/enter`) {
      await admit('public', request, deps);
      const token = await pages.enter(searchParams.get('ticket') ?? '');
      if (!token) throw new DomainError('E_TOKEN_INVALID');
      const secure = request.protocol === 'https' ? '; Secure' : '';
      return reply
        .header(
          'set-cookie',
          `${cookie}=${token}; Path=${path}; HttpOnly; SameSite=Strict; Max-Age=${cookieSeconds}${secure}`,
        )
        .redirect(pages.landing(searchParams), 303);
    }
    const admin = await pages.admits(cookieOf(request, cookie));
    if (!admin) {
      await admit('public', request, deps);
      throw new DomainError('E_LOGIN_REQUIRED');
    }
    if (!hasRole(admin.role, roles)) throw new DomainError('E_FORBIDDEN');
    const accept = request.headers.accept ?? '*/*';
    const answer = await pages.answer(
      new Request(new URL(request.url, 'http://pages'), { headers: { accept } }),
    );
    if (!isAsset(answer))
      await deps.audit?.read({
        adminId: admin.accountId,
        call: `GET ${path}/*`,
        accountId: null,
        subject: subjectOf(pathname, path),
        address: requestAddress(request),
      });
    return send(reply, answer);
  };
  for (const url of [path, `${path}/*`])
    app.route({
      method: 'GET',
      url,
      exposeHeadRoute: false,
      config: { guard: 'ticket' },
      schema: { hide: true },
      handler,
    });
};
