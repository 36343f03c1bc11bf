import type { Db } from '../postgres/index.ts';
import type { Queue } from '../queue/index.ts';

export interface OptOutsDeps {
  db: Db;
  queue: Pick<Queue, 'send'>;
}
