import type { Db } from '../postgres/index.ts';

type Tables = {
  carriers: { name: string; short: string; long: string; country: string };
  sms_countries: { country: string; country_code: string; position: number };
};

export const readCarriers = (db: Db) =>
  db.withTables<Tables>().selectFrom('carriers').selectAll().orderBy('name').execute();

export const readSmsCountries = (db: Db) =>
  db.withTables<Tables>().selectFrom('sms_countries').selectAll().orderBy('position').execute();
