import { sql } from 'kysely';
import type { SenderId } from '../../../contract/customer/senders.ts';
import type { Db } from '../../ground/postgres/index.ts';

/** A new code replaces the one before. */
export const keepCode = async (
  db: Db,
  { senderId, codeHash, minutes }: { senderId: SenderId; codeHash: Buffer; minutes: number },
): Promise<void> => {
  await sql`update senders set code_hash = ${codeHash}, code_tries = 0,
      code_expires_at = now() + make_interval(mins => ${minutes})
    where id = ${senderId}::bigint and verified_at is null`.execute(db);
};

/** Counts a try before it is judged. Undefined without a code that still holds, or after too many tries. */
export const takeTry = async (
  db: Db,
  { senderId, most }: { senderId: SenderId; most: number },
): Promise<{ codeHash: Buffer; left: number } | undefined> => {
  const { rows } = await sql<{ codeHash: Buffer; left: number }>`
    update senders set code_tries = code_tries + 1
    where id = ${senderId}::bigint and code_hash is not null and code_expires_at > now() and code_tries < ${most}
    returning code_hash as "codeHash", ${most}::int - code_tries as left`.execute(db);
  return rows[0];
};

/** An address that waits for its code. */
export const findAddress = async (db: Db, senderId: SenderId): Promise<{ sender: string } | undefined> => {
  const { rows } = await sql<{ sender: string }>`
    select sender from senders where id = ${senderId}::bigint and kind = 'address' and verified_at is null`.execute(
    db,
  );
  return rows[0];
};
