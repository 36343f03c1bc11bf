import type { z } from 'zod';
import type { Call } from '../contract/call.ts';
import { calls } from '../contract/calls.ts';
import { type RoomDeps, routeTable } from '../server/http/index.ts';
import { anything } from './anything.ts';

/** What the route table offers, with the schemas of what is sent to it. */
export interface Endpoint extends Pick<Call, 'params' | 'query' | 'headers' | 'body' | 'maxBytes'> {
  /** As in the route table, such as `GET /cards`. */
  name: string;
  method: string;
  /** The whole path, with its parameters. */
  path: string;
  guard: string;
  kind: 'routes' | 'files' | 'uploads' | 'webhooks' | 'pages';
  /** Of an upload: the fields beside the file, and the name of the file's part. */
  form?: { fields: z.ZodType; file: string };
}

interface Offered extends Pick<Call, 'params' | 'query' | 'headers'> {
  fields?: z.ZodType;
  file?: { name: string };
}

const schemasOf = (name: string, kind: Endpoint['kind'], offered: Offered): Partial<Endpoint> => {
  if (kind === 'routes') return calls[name as keyof typeof calls] as Call;
  if (kind === 'files') return { params: offered.params, query: offered.query };
  if (kind !== 'uploads' || !offered.fields || !offered.file) return {};
  return {
    params: offered.params,
    headers: offered.headers,
    form: { fields: offered.fields, file: offered.file.name },
  };
};

/** Every endpoint of the route table, as a program without carriers has them: what its rooms need is not called. */
export const listEndpoints = (): Endpoint[] => {
  const table = routeTable(
    Object.assign(Object.create(anything), {
      wallet: { processor: { name: 'sandbox' } },
      mailbox: { folder: '' },
      providers: {
        receiver: anything,
        webhooks: [{ path: 'lanes/:name', methods: ['GET', 'POST'], handle: anything }],
      },
    }) as RoomDeps,
  );
  return table.flatMap(({ guard, ...kinds }) =>
    Object.entries(kinds).flatMap(([given, routes]) =>
      Object.entries(routes as Record<string, Offered>).map(([name, offered]) => {
        const kind = given as Endpoint['kind'];
        const [method = '', path = ''] = name.split(' ');
        return {
          ...schemasOf(name, kind, offered),
          name,
          method,
          path: kind === 'pages' ? path : `/api${path}`,
          guard,
          kind,
        };
      }),
    ),
  );
};
