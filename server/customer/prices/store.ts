import { type Generated, sql } from 'kysely';
import type { NumberRange } from '../../../contract/customer/prices.ts';
import type { Channel } from '../../../contract/ground/channels.ts';
import type { Db } from '../../ground/postgres/index.ts';

/** What is priced. Country and carrier are '' if unknown or irrelevant, the range for ordinary numbers. */
export interface Ware {
  channel: Channel;
  country: string;
  carrier: string;
  range: NumberRange | '';
}

export interface NewPrice extends Ware {
  unitMicros: bigint;
  validFrom: Date;
  validUntil: Date | null;
}

export interface Price extends NewPrice {
  id: number;
}

interface PricesTable {
  id: Generated<number>;
  channel: Channel;
  country: string;
  carrier: string;
  number_range: NumberRange | '';
  unit_micros: bigint;
  valid_from: Date;
  valid_until: Date | null;
}
type Tables = { prices: PricesTable };

const selectPrices = (db: Db) =>
  db
    .withTables<Tables>()
    .selectFrom('prices')
    .select([
      'id',
      'channel',
      'country',
      'carrier',
      'number_range as range',
      'unit_micros as unitMicros',
      'valid_from as validFrom',
      'valid_until as validUntil',
    ]);

const NOT_OVER = sql<boolean>`(valid_until is null or valid_until > now())`;

/** Those in force, and those to come. */
export const readPrices = (db: Db): Promise<Price[]> => selectPrices(db).where(NOT_OVER).execute();

export const listPrices = (
  db: Db,
  { channel, country, past }: { channel?: Channel | undefined; country?: string | undefined; past: boolean },
): Promise<Price[]> =>
  selectPrices(db)
    .$if(channel !== undefined, (query) => query.where('channel', '=', channel as Channel))
    .$if(country !== undefined, (query) => query.where('country', '=', country as string))
    .$if(!past, (query) => query.where(NOT_OVER))
    .orderBy('channel')
    .orderBy('country')
    .orderBy('carrier')
    .orderBy('number_range')
    .orderBy('valid_from')
    .execute();

/** Changes follow one another: each sees what the one before made. */
export const lockPrices = async (trx: Db): Promise<void> => {
  await sql`lock table prices in share row exclusive mode`.execute(trx);
};

export const findPrice = (db: Db, id: number): Promise<Price | undefined> =>
  selectPrices(db).where('id', '=', id).executeTakeFirst();

/** Of the same destination, those that are in force or to come. */
export const findRivals = (db: Db, { channel, country, carrier, range }: Ware): Promise<Price[]> =>
  selectPrices(db)
    .where('channel', '=', channel)
    .where('country', '=', country)
    .where('carrier', '=', carrier)
    .where('number_range', '=', range)
    .where(NOT_OVER)
    .orderBy('valid_from')
    .execute();

export const insertPrice = async (db: Db, price: NewPrice): Promise<number> => {
  const { id } = await db
    .withTables<Tables>()
    .insertInto('prices')
    .values({
      channel: price.channel,
      country: price.country,
      carrier: price.carrier,
      number_range: price.range,
      unit_micros: price.unitMicros,
      valid_from: price.validFrom,
      valid_until: price.validUntil,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
};

export const endPriceAt = async (db: Db, { id, validUntil }: { id: number; validUntil: Date }) => {
  await db
    .withTables<Tables>()
    .updateTable('prices')
    .set({ valid_until: validUntil })
    .where('id', '=', id)
    .execute();
};

/** Only one that has never been in force. */
export const dropPrice = async (db: Db, id: number): Promise<void> => {
  await db
    .withTables<Tables>()
    .deleteFrom('prices')
    .where('id', '=', id)
    .where(sql<boolean>`valid_from > now()`)
    .execute();
};
