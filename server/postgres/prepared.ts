import { type RawBuilder, sql } from 'kysely';
import pg from 'pg';

const MARK = /^\s*\/\* prepared ([\w-]+) \*\//;

/** A statement may have several forms; each has a name of its own. */
const forms = new Map<string, string>();
const nameOf = (text: string): string | undefined => {
  const mark = MARK.exec(text)?.[1];
  if (mark === undefined) return undefined;
  const name = forms.get(text) ?? `${mark}-${forms.size}`;
  forms.set(text, name);
  return name;
};

/**
 * Begins a statement that each connection plans once and then keeps: for those that are run by the thousand and
 * take longer to plan than to run. Only for statements that have no good plan but one, whatever the tables hold: if
 * they read tables, within `byIndexes`.
 */
export const prepared = (name: string): RawBuilder<unknown> => sql.raw(`/* prepared ${name} */`);

/** Kysely hands over texts only; the mark makes one a named statement. */
export class PreparingClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: pg has a dozen signatures for it; all but one are passed on.
  override query(...args: any[]): any {
    const [text, values, ...rest] = args;
    const name = typeof text === 'string' ? nameOf(text) : undefined;
    const pass = super.query as (...passed: unknown[]) => unknown;
    return name === undefined ? pass.apply(this, args) : pass.call(this, { name, text, values }, ...rest);
  }
}
