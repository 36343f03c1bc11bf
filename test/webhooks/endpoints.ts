import type { z } from 'zod';
import { calls } from '../../contract/calls.ts';
import type { AdminRole } from '../../contract/customer/admin-roles.ts';
import type { Call } from '../../contract/ground/call.ts';
import { type RoomDeps, routeTable } from '../../server/http/index.ts';
import { anything } from '../anything.ts';

/** What the route table offers, with the schemas of what is sent to it. */
export interface Endpoint extends Pick<Call, 'params' | 'query' | 'headers' | 'body' | 'maxBytes'> {
  /** As in the route table, such as `GET /cards`. */
  name: string;
  method: string;
  /** The whole path, with its parameters. */
  path: string;
  guard: string;
  /** Behind the guard of admins: who may call it. */
  roles?: readonly AdminRole[];
  kind: 'routes' | 'files' | 'uploads' | 'webhooks' | 'sockets' | 'pages';
  /** Of an upload: the fields beside the file, and the name of the file's part. */
  form?: { fields: z.ZodType; file: string };
}

const KINDS = [
  'routes',
  'files',
  'uploads',
  'webhooks',
  'sockets',
  'pages',
] as const satisfies Endpoint['kind'][];

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

const rolesOf = (line: object, method: string): AdminRole[] => {
  const { roles = [], readers = [] } = line as { roles?: AdminRole[]; readers?: AdminRole[] };
  return [...new Set<AdminRole>([...roles, ...(method === 'GET' ? readers : []), 'owner'])];
};

/** The route table of a program without carriers: what its rooms need is not called. */
export const openTable = () =>
  routeTable(
    Object.assign(Object.create(anything), {
      wallet: { processor: { name: 'sandbox' } },
      mailbox: { folder: '' },
      providers: {
        receiver: anything,
        webhooks: [{ path: 'lanes/:name', methods: ['GET', 'POST'], handle: anything }],
      },
    }) as RoomDeps,
  );

/** Every endpoint of the route table. */
export const listEndpoints = (): Endpoint[] =>
  openTable().flatMap(({ guard, ...line }): Endpoint[] => {
    if ('mounted' in line)
      return [line.mounted.path, `${line.mounted.path}/*`].map((path) => ({
        name: `GET ${path}`,
        method: 'GET',
        path,
        guard,
        kind: 'pages',
      }));
    return KINDS.flatMap((kind) =>
      Object.entries((line as Partial<Record<string, Record<string, Offered>>>)[kind] ?? {}).map(
        ([name, offered]) => {
          const [method = '', path = ''] = name.split(' ');
          return {
            ...schemasOf(name, kind, offered),
            name,
            method,
            path: kind === 'pages' ? path : `/api${path}`,
            guard,
            kind,
            ...(guard === 'admin' && { roles: rolesOf(line, method) }),
          };
        },
      ),
    );
  });
