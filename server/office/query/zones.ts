import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { z } from 'zod';
import { QUERY_ENGINES } from '../../../contract/office/query.ts';
import type { OwnServer, ReaderOptions } from './reader.ts';

const name = z.string().min(1).max(128);

const zoneSchema = z.strictObject({
  id: z.int().min(1).max(1_000_000),
  name,
  engine: z.enum(QUERY_ENGINES),
  host: name,
  port: z.int().min(1).max(65_535).optional(),
  user: name,
  password: z.union([z.string(), z.strictObject({ env: name })]).optional(),
  tls: z.boolean().default(false),
  databases: z.array(name).max(100).default([]),
  secret: z
    .array(z.string().regex(/^[^.]+(\.[^.]+){2,3}$/, 'must be database.schema.table.column'))
    .max(1_000)
    .default([]),
  mask: z.enum(['views', 'program']).default('views'),
});
const fileSchema = z.strictObject({ zones: z.array(zoneSchema).min(1).max(100) });

export interface Zone extends ReaderOptions {
  id: number;
  name: string;
  engine: (typeof QUERY_ENGINES)[number];
  /** Of the zones that the program brings; a server of the operator's is not ours to end anything by force. */
  own?: OwnServer | undefined;
}

const parseFile = (path: string): z.infer<typeof fileSchema> => {
  const parsed = fileSchema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  if (parsed.success) return parsed.data;
  throw new Error(
    parsed.error.issues.map((issue) => `${issue.path.join('.') || 'the whole'}: ${issue.message}`).join('; '),
  );
};

/** A name with a part too few or too many would protect nothing. */
const requireWholeNames = ({ id, engine, secret }: Pick<Zone, 'id' | 'engine' | 'secret'>): void => {
  const form = engine === 'postgres' ? 'database.schema.table.column' : 'database.table.column';
  const wrong = secret.find((column) => column.split('.').length !== form.split('.').length);
  if (wrong !== undefined) throw new Error(`zone ${id}: secret: ${wrong} must be ${form}`);
};

/** Reads the file of zones. Its errors never contain a password. */
export const readZones = (path: string, variable: (name: string) => string | undefined): Zone[] => {
  try {
    const { zones } = parseFile(path);
    const twice = zones.find(({ id }, at) => zones.findIndex((other) => other.id === id) !== at);
    if (twice) throw new Error(`the zone ${twice.id} is there twice`);
    for (const zone of zones) requireWholeNames(zone);
    return zones.map(({ password, port, ...zone }) => {
      if (typeof password !== 'object') return { ...zone, port, password };
      const value = variable(password.env);
      if (!value) throw new Error(`zone ${zone.id}: the environment has no ${password.env}`);
      return { ...zone, port, password: value };
    });
  } catch (error) {
    throw new Error(`${basename(path)}: ${(error as Error).message}`);
  }
};
