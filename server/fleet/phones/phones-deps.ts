import type { Db } from '../../ground/postgres/index.ts';
import type { PhoneDriver } from './phone-driver.ts';

export interface PhonesDeps {
  db: Db;
  driver: PhoneDriver;
  /** Drives the modems of phones that have an agent. */
  agents: PhoneDriver;
}
