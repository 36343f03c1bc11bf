import type { IncomingHttpHeaders } from 'node:http';
import type { Where } from './template.ts';

/** What an answer or a call brought, read as far as it is asked for. */
export interface Brought {
  headers: IncomingHttpHeaders;
  text: string;
  query?: URLSearchParams | undefined;
  /** Where `json` is looked for; undefined when the text is not JSON. */
  json: unknown;
}

export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** A path such as `messages.0.id` or `messages[0].id`; `$` is all of it. */
export const readPath = (json: unknown, path: string): unknown => {
  let found = json;
  if (path === '$') return found;
  for (const step of path
    .replace(/^\$\./, '')
    .replaceAll(/\[(\d+)\]/g, '.$1')
    .split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined;
    found = (found as Record<string, unknown>)[step];
  }
  return found;
};

const textOf = (found: unknown): string | undefined =>
  typeof found === 'string' || typeof found === 'number' || typeof found === 'boolean'
    ? String(found)
    : undefined;

/** What stands at a place, as text; undefined if nothing does. */
export const readWhere = (where: Where | undefined, brought: Brought): string | undefined => {
  if (!where) return undefined;
  if (where.json !== undefined) return textOf(readPath(brought.json, where.json));
  if (where.form !== undefined) return new URLSearchParams(brought.text).get(where.form) ?? undefined;
  if (where.query !== undefined) return brought.query?.get(where.query) ?? undefined;
  if (where.header !== undefined) return textOf(brought.headers[where.header]);
  const found = new RegExp(where.regex ?? '', 'su').exec(brought.text);
  return found ? (found[1] ?? found[0]) : undefined;
};
