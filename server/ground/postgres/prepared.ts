import { type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import { arrayText } from './array-text.ts';

const MARK = /^\s*\/\* prepared ([\w-]+) \*\//;

/** The most statements that a connection keeps for good: what customers send decides which ones there are. */
const MOST_FORMS = 500;
/** A statement may have several forms; each has its own name. */
const forms = new Map<string, string>();
const nameOf = (text: string): string | undefined => {
  const mark = MARK.exec(text)?.[1];
  if (mark === undefined) return undefined;
  const known = forms.get(text);
  if (known !== undefined || forms.size >= MOST_FORMS) return known;
  const name = `${mark}-${forms.size}`;
  forms.set(text, name);
  return name;
};

/**
 * Starts a statement that each connection plans once and keeps: for statements that run thousands of times and take
 * longer to plan than to run. Only for statements with one good plan, whatever the tables contain: if they read tables,
 * within `indexOnlyTransaction` or through `preparedPool`.
 */
export const prepared = (name: string): RawBuilder<unknown> => sql.raw(`/* prepared ${name} */`);

/** Kysely passes only a text and its values; the mark makes it a named statement. */
export class PreparingClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: pg has a dozen signatures for it; all but one are passed on.
  override query(...args: any[]): any {
    const [text, values, ...rest] = args;
    const pass = super.query as (...passed: unknown[]) => unknown;
    if (typeof text !== 'string' || !Array.isArray(values)) return pass.apply(this, args);
    const written = values.map((value) => (Array.isArray(value) ? arrayText(value) : value));
    return pass.call(this, { name: nameOf(text), text, values: written }, ...rest);
  }
}
