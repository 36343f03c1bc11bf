import { type RawBuilder, sql } from 'kysely';
import pg from 'pg';

const MARK = /^\s*\/\* prepared ([\w-]+) \*\//;

/**
 * Begins a statement that each connection plans once and then keeps: for those that are run by the thousand and
 * take longer to plan than to run. Only for statements that have no good plan but one, whatever the tables hold.
 */
export const prepared = (name: string): RawBuilder<unknown> => sql.raw(`/* prepared ${name} */`);

/** Kysely hands over texts only; the mark makes one a named statement. */
export class PreparingClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: pg has a dozen signatures for it; all but one are passed on.
  override query(...args: any[]): any {
    const [text, values, ...rest] = args;
    const name = typeof text === 'string' ? MARK.exec(text)?.[1] : undefined;
    const pass = super.query as (...passed: unknown[]) => unknown;
    return name === undefined ? pass.apply(this, args) : pass.call(this, { name, text, values }, ...rest);
  }
}
