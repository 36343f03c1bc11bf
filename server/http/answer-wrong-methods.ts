import type { FastifyInstance } from 'fastify';
import { isPage } from '../../contract/pages.ts';
import { DomainError } from '../ground/domain-error.ts';

const segmentsOf = (path: string): string[] => path.split('/').slice(1);

/** A parameter is a whole segment, and a star the rest of the path. */
const isAt = (pattern: string[], path: string[]): boolean =>
  (pattern.length === path.length || (pattern.at(-1) === '*' && pattern.length < path.length)) &&
  pattern.every((part, at) => part === '*' || part === path[at] || (part.startsWith(':') && path[at] !== ''));

/** What an address answers, of all that is registered after this. */
const openMethods = (app: FastifyInstance): ((path: string) => string[]) => {
  const routes: { methods: string[]; pattern: string[] }[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    routes.push({ methods: [method].flat(), pattern: segmentsOf(url) });
  });
  return (path) => {
    const segments = segmentsOf(path);
    const registered = routes.flatMap(({ methods, pattern }) => (isAt(pattern, segments) ? methods : []));
    return [...new Set(isPage(path) ? [...registered, 'GET', 'HEAD'] : registered)].sort();
  };
};

const decodedPath = (url: string): string => {
  const path = url.split('?', 1)[0] ?? '';
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
};

/**
 * Tells a method that an address does not take from an address that there is not, before a body is read. What may be
 * shown to a browser goes on to the pages.
 */
export const answerWrongMethods = (app: FastifyInstance): void => {
  const methodsOf = openMethods(app);
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    const { method } = request;
    const methods = methodsOf(decodedPath(request.url));
    if (methods.length > 0 && method === 'OPTIONS') {
      reply
        .code(204)
        .header('allow', `${methods.join(', ')}, OPTIONS`)
        .send();
      return;
    }
    if (methods.length > 0 && !methods.includes(method))
      return done(new DomainError('E_METHOD_NOT_ALLOWED', { method, methods: methods.join(', ') }));
    done(method === 'GET' || method === 'HEAD' ? undefined : new DomainError('E_NOT_FOUND'));
  });
};
