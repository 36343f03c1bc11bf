import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { z } from 'zod';
import { type ProviderTemplate, templateSchema } from './template.ts';

export interface TemplateSources {
  /** A file, or a folder of files that end in .json. */
  path: string;
  /** Of the environment. */
  variable: (name: string) => string | undefined;
}

const filesOf = (path: string): string[] => {
  if (!statSync(path).isDirectory()) return [path];
  const names = readdirSync(path).filter((name) => name.endsWith('.json') && !name.startsWith('.'));
  if (names.length === 0) throw new Error(`${path} has no files that end in .json`);
  return names.sort().map((name) => join(path, name));
};

const readJson = (file: string): unknown => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`${basename(file)}: ${(error as Error).message}`);
  }
};

interface Read {
  templates: ProviderTemplate[];
  faults: string[];
}

const secretsOf = (
  given: Record<string, string | { env: string }>,
  variable: TemplateSources['variable'],
): { secrets: Record<string, string>; missing: string[] } => {
  const missing: string[] = [];
  const secrets = Object.entries(given).map(([name, secret]) => {
    const value = typeof secret === 'string' ? secret : variable(secret.env);
    if (!value) missing.push(`secrets.${name}: the environment has no ${(secret as { env: string }).env}`);
    return [name, value ?? ''];
  });
  return { secrets: Object.fromEntries(secrets), missing };
};

/** A name that is refused hides why within. */
const describe = (issue: z.core.$ZodIssue): string => {
  const message = issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message;
  return `${issue.path.join('.') || 'the whole'}: ${message}`;
};

const readTemplate = (given: unknown, place: string, variable: TemplateSources['variable']): Read => {
  const parsed = templateSchema.safeParse(given);
  if (!parsed.success)
    return {
      templates: [],
      faults: parsed.error.issues.map((issue) => `${place}: ${describe(issue)}`),
    };
  const { secrets, missing } = secretsOf(parsed.data.secrets, variable);
  return { templates: [{ ...parsed.data, secrets }], faults: missing.map((fault) => `${place}: ${fault}`) };
};

/**
 * Reads the templates, and refuses them with all faults together: the file, the place in it and the reason. Its errors
 * never contain a secret.
 */
export const readTemplates = ({ path, variable }: TemplateSources): ProviderTemplate[] => {
  const read = filesOf(path).flatMap((file) => {
    const given = readJson(file);
    const list: unknown[] = Array.isArray(given) ? given : [given];
    return list.map((one, at) =>
      readTemplate(one, `${basename(file)}${Array.isArray(given) ? ` [${at}]` : ''}`, variable),
    );
  });
  const templates = read.flatMap((one) => one.templates);
  const names = templates.map(({ name }) => name);
  const twice = names.filter((name, at) => names.indexOf(name) !== at);
  const faults = [
    ...read.flatMap((one) => one.faults),
    ...twice.map((name) => `the name ${name} is used twice`),
  ];
  if (faults.length > 0) throw new Error(faults.join('; '));
  return templates;
};
