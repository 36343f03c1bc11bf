import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../ground/postgres/index.ts';

/** Numbers that begin so belong to a carrier, unless a longer prefix says otherwise. */
export interface CarrierPrefix {
  /** With the plus sign: +8526111. */
  prefix: string;
  carrierName: string;
}

export interface NamedCarrier {
  name: string;
  short: string;
  long: string;
}

/** Those that are named to people, and those that the table of prefixes has besides. */
export const readCarriers = async (db: Db): Promise<NamedCarrier[]> => {
  const { rows } = await sql<NamedCarrier>`
    select name, short, long from carriers
    union all
    select distinct carrier, carrier, carrier from carrier_prefixes
    where carrier not in (select name from carriers)
    order by name`.execute(db);
  return rows;
};

export const readPrefixes = async (db: Db): Promise<CarrierPrefix[]> => {
  const { rows } = await sql<CarrierPrefix>`
    select prefix, carrier as "carrierName" from carrier_prefixes order by prefix`.execute(db);
  return rows;
};

/** A number's carrier by its longest known prefix, as part of a statement; null if none is known. */
export const carrierOfNumber = (number: string | RawBuilder<unknown>): RawBuilder<string | null> => sql`(
  select carrier from carrier_prefixes where starts_with(${number}, prefix) order by length(prefix) desc limit 1)`;

/** Replacements follow one another: of two at once the table would have both. */
export const lockPrefixes = async (trx: Db): Promise<void> => {
  await sql`lock table carrier_prefixes in share row exclusive mode`.execute(trx);
};

/** In place of all that there were. */
export const replacePrefixes = async (trx: Db, prefixes: CarrierPrefix[]): Promise<void> => {
  await sql`delete from carrier_prefixes`.execute(trx);
  await sql`insert into carrier_prefixes (prefix, carrier) select * from unnest(
    ${prefixes.map(({ prefix }) => prefix)}::text[], ${prefixes.map(({ carrierName }) => carrierName)}::text[])
    on conflict (prefix) do update set carrier = excluded.carrier`.execute(trx);
};
