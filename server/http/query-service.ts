import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { AccountId } from '../../contract/customer/accounts.ts';
import {
  cancelAnswer,
  cancelRequest,
  databaseAnswer,
  databaseRequest,
  merchantAnswer,
  merchantRequest,
  queryAnswer,
  queryRequest,
  tablesAnswer,
  tablesRequest,
  zonesAnswer,
  zonesRequest,
} from '../../contract/office/query.ts';
import { DomainError } from '../ground/domain-error.ts';
import { languageOf } from '../ground/translations/index.ts';
import { ASKER_HEADER, type Asker, ENTRY_HEADER, type QueryService } from '../office/query/index.ts';
import { bearsToken } from './bears-token.ts';
import { hangUpOf } from './defence/request-origin.ts';

const accountId = z.uuid().optional();
/** A bigint of the database. */
const entryId = z
  .string()
  .regex(/^\d{1,18}$/)
  .optional();

const askerOf = (request: FastifyRequest, reply: FastifyReply): Asker => {
  const named = accountId.safeParse(request.headers[ASKER_HEADER]);
  if (!named.success) throw new DomainError('E_INVALID_REQUEST', { reason: ASKER_HEADER });
  const entry = entryId.safeParse(request.headers[ENTRY_HEADER]);
  if (!entry.success) throw new DomainError('E_INVALID_REQUEST', { reason: ENTRY_HEADER });
  return {
    accountId: named.data as AccountId | undefined,
    // Only an admin's statement has an entry.
    entryId: named.data === undefined ? undefined : entry.data,
    language: languageOf(request.headers['accept-language']),
    hungUp: hangUpOf(reply),
  };
};

/** The endpoints of the role query, on a port of its own. Whoever calls them needs the key; the web role has it. */
export const registerQueryService = (app: FastifyInstance, service: QueryService, key: string): void => {
  const action = <B extends z.ZodType, R extends z.ZodType>(
    name: string,
    { body, answer }: { body: B; answer: R },
    handle: (asker: Asker, body: z.output<B>) => z.input<R> | Promise<z.input<R>>,
  ) =>
    app.post(
      `/${name}`,
      {
        schema: { body, response: { 200: answer } },
        onRequest: async (request) => {
          if (!bearsToken(request.headers.authorization, `Bearer ${key}`))
            throw new DomainError('E_FORBIDDEN');
          request.isKnown = true;
        },
      },
      (request, reply) => {
        reply.header('cache-control', 'no-store');
        return handle(askerOf(request, reply), request.body as z.output<B>) as never;
      },
    );
  action('zones', { body: zonesRequest, answer: zonesAnswer }, () => ({ zones: service.zones }));
  action('sql_database', { body: databaseRequest, answer: databaseAnswer }, (asker, { zone_id }) =>
    service.listDatabases(asker, zone_id),
  );
  action('sql_query', { body: queryRequest, answer: queryAnswer }, (asker, { zone_id, run_id, ...asked }) =>
    service.query(asker, { zoneId: zone_id, runId: run_id, ...asked }),
  );
  action('sql_tables', { body: tablesRequest, answer: tablesAnswer }, (asker, { zone_id, database }) =>
    service.listTables(asker, { zoneId: zone_id, database }),
  );
  action('sql_cancel', { body: cancelRequest, answer: cancelAnswer }, (asker, { run_id }) =>
    service.cancel(asker, run_id),
  );
  action('merchants', { body: merchantRequest, answer: merchantAnswer }, (asker, { zone_id, ...asked }) =>
    service.findMerchants(asker, { zoneId: zone_id, ...asked }),
  );
};
