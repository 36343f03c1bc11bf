import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { DomainError } from '../ground/domain-error.ts';
import { bearsToken } from './bears-token.ts';

export interface OperationsDeps {
  /** Throws while this process can't serve: the database does not answer, or the process is stopping. */
  checkReady: () => Promise<void>;
  /** Without one, nobody gets the metrics. */
  metricsToken: string | undefined;
  /** Metrics of the rooms, read on request. */
  gauges: { name: string; help: string; read: () => Promise<number> }[];
}

/** Endpoints for operators and their monitoring: alive, ready, metrics. */
export const registerOperations = (
  app: FastifyInstance,
  { checkReady, metricsToken, gauges }: OperationsDeps,
): void => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'posthorn_' });
  const durations = new Histogram({
    name: 'posthorn_http_request_seconds',
    help: 'Time to answer, by call and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  });
  for (const { name, help, read } of gauges)
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.set(await read());
      },
    });
  /** By their labels: finding a counter by its labels costs more than counting. */
  const known = new Map<string, Histogram.Internal<'method' | 'route' | 'status'>>();
  app.addHook('onResponse', (request, reply, done) => {
    const labels = {
      method: request.method,
      route: request.routeOptions.url ?? 'page',
      status: reply.statusCode,
    };
    const name = `${labels.method} ${labels.route} ${labels.status}`;
    const counter = known.get(name) ?? durations.labels(labels);
    known.set(name, counter);
    counter.observe(reply.elapsedTime / 1000);
    done();
  });
  app.get('/healthz', { schema: { hide: true }, logLevel: 'silent', config: { atOnce: true } }, () => ({
    status: 'ok',
  }));
  app.get('/readyz', { schema: { hide: true }, logLevel: 'silent' }, async (request) => {
    try {
      await checkReady();
    } catch (error) {
      request.log.warn({ err: error }, 'not ready');
      throw new DomainError('E_UNAVAILABLE');
    }
    return { status: 'ready' };
  });
  app.get('/metrics', { schema: { hide: true }, logLevel: 'silent' }, async (request, reply) => {
    // Where a request comes from proves nothing: behind a proxy on this machine everybody seems to be here.
    if (!metricsToken || !bearsToken(request.headers.authorization, `Bearer ${metricsToken}`))
      throw new DomainError('E_NOT_FOUND');
    return reply.type(registry.contentType).send(await registry.metrics());
  });
};
