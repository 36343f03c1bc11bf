import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { SettingsFault } from './settings-fault.ts';

const name = z.string().regex(/^[\w.-]{1,40}$/, 'has letters, digits, dots and hyphens, 40 at most');
const number = z
  .string()
  .regex(/^\+[1-9]\d{4,14}$/, 'begins with + and the country')
  .optional();
const path = z.string().min(1);
const pollMs = z.int().min(100).max(600_000).default(10_000);
const answerMs = z.int().min(1_000).max(600_000).default(90_000);

const modem = z.discriminatedUnion('driver', [
  z.strictObject({
    name,
    driver: z.literal('serial'),
    path,
    baudRate: z.int().min(300).max(4_000_000).default(115_200),
    number,
    pin: z
      .string()
      .regex(/^\d{4,8}$/)
      .optional(),
    answerMs,
    pollMs,
  }),
  z.strictObject({
    name,
    driver: z.literal('gammu'),
    path,
    connection: z
      .string()
      .regex(/^[a-z0-9-]+$/)
      .default('at115200'),
    program: z.string().min(1).default('gammu'),
    number,
    answerMs,
    // A look takes it several seconds.
    pollMs: pollMs.default(30_000),
  }),
  z.strictObject({
    name,
    driver: z.literal('android'),
    url: z.url(),
    username: z.string(),
    password: z.string(),
    sim: z.int().min(1).max(3).optional(),
    number,
    answerMs,
    pollMs,
  }),
]);
export type ModemSettings = z.infer<typeof modem>;

const file = z.strictObject({
  server: z.url(),
  key: z.string().max(100).optional(),
  name: z
    .string()
    .min(1)
    .max(60)
    .default(() => hostname().slice(0, 60) || 'agent'),
  insecure: z.boolean().default(false),
  reconnectMinMs: z.int().min(10).max(60_000).default(1_000),
  reconnectMaxMs: z.int().min(10).max(600_000).default(60_000),
  modems: z
    .array(modem)
    .max(256)
    .refine(
      (all) => new Set(all.map((one) => one.name)).size === all.length,
      'gives each modem a name of its own',
    )
    .default([]),
});
export type AgentFileSettings = z.infer<typeof file> & { folder: string };

const OPTIONS = {
  server: { type: 'string' },
  key: { type: 'string' },
  name: { type: 'string' },
  folder: { type: 'string', default: 'agent-data' },
  settings: { type: 'string' },
  insecure: { type: 'boolean' },
  modem: { type: 'string', multiple: true },
} as const;

/** NAME=serial:PATH, NAME=gammu:PATH or NAME=android:http://USER:PASSWORD@HOST:PORT. */
const readModem = (text: string): Record<string, unknown> => {
  const [, called, driver, where = ''] = /^([^=]+)=(serial|gammu|android):(.+)$/.exec(text) ?? [];
  if (!driver)
    throw new SettingsFault(
      `--modem ${text.split('=')[0]} is not NAME=serial:PATH, NAME=gammu:PATH or NAME=android:URL.`,
    );
  if (driver !== 'android') return { name: called, driver, path: where };
  if (!URL.canParse(where))
    throw new SettingsFault(
      `--modem ${called} has no address such as http://user:password@192.168.1.20:8080.`,
    );
  const url = new URL(where);
  return {
    name: called,
    driver,
    url: url.origin,
    username: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
  };
};

const readFile = (given: string | undefined, folder: string): Record<string, unknown> => {
  const from = given ?? join(folder, 'agent.json');
  if (given === undefined && !existsSync(from)) return {};
  try {
    return JSON.parse(readFileSync(from, 'utf8')) as Record<string, unknown>;
  } catch (error) {
    throw new SettingsFault(`${from} can't be read: ${(error as Error).message}`);
  }
};

/** Arguments win over the file. No secret is repeated in a fault. */
export const readSettings = (args: string[]): AgentFileSettings => {
  let given: ReturnType<typeof parse>;
  const parse = () => parseArgs({ args, options: OPTIONS }).values;
  try {
    given = parse();
  } catch (error) {
    throw new SettingsFault((error as Error).message);
  }
  const { folder, settings, modem: modems, ...rest } = given;
  const read = file.safeParse({
    ...readFile(settings, folder),
    ...rest,
    ...(modems && { modems: modems.map(readModem) }),
  });
  if (read.success) return { ...read.data, folder };
  const [issue] = read.error.issues;
  if (issue?.path[0] === 'server')
    throw new SettingsFault('Say which server it belongs to: --server https://HOST.');
  throw new SettingsFault(`Bad settings: ${issue?.path.join('.') || 'all'}: ${issue?.message}`);
};
