import { optOut } from './opt-out.ts';
import type { OptOutsDeps } from './opt-outs-deps.ts';
import { type Addressee, deleteOptOuts } from './store.ts';

/** By the link in a message. A repeat changes nothing. */
export const unsubscribe = async ({ db, queue }: OptOutsDeps, addressee: Addressee): Promise<void> => {
  await db
    .transaction()
    .execute((trx) => optOut({ db: trx, queue }, [{ ...addressee, source: 'LINK', note: '' }]));
};

export const resubscribe = async ({ db }: Pick<OptOutsDeps, 'db'>, addressee: Addressee): Promise<void> => {
  await deleteOptOuts(db, [addressee]);
};
