import type { Db } from '../../ground/postgres/index.ts';

type Tables = {
  sms_countries: { country: string; country_code: string; position: number };
};

export const readSmsCountries = (db: Db) =>
  db.withTables<Tables>().selectFrom('sms_countries').selectAll().orderBy('position').execute();
