import type { Db } from '../../ground/postgres/index.ts';
import type { Queue } from '../../ground/queue/index.ts';

export interface OptOutsDeps {
  db: Db;
  queue: Pick<Queue, 'send'>;
}
