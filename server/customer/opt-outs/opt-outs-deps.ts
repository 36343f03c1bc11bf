import type { Db } from '../../ground/postgres/index.ts';
import type { Queue } from '../../ground/queue/index.ts';
import type { Addressee } from './store.ts';

export interface OptOutsDeps {
  db: Db;
  queue: Pick<Queue, 'send'>;
}

type Person = Pick<Addressee, 'accountId' | 'recipient'>;

export interface NamingDeps extends OptOutsDeps {
  /** What accounts call these people; empty without a name. */
  readNames: (db: Db, people: Person[]) => Promise<(person: Person) => string>;
}
