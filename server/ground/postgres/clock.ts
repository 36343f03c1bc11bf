import { sql } from 'kysely';

/** Every lifetime is measured by the database's clock, which all processes share. */
export const now = sql<Date>`now()`;
export const inSeconds = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`;
