import { sql } from 'kysely';
import type { Db } from '../../ground/postgres/index.ts';

interface Pass {
  hash: Buffer;
  kind: 'ticket' | 'cookie';
  /** Of the session that it was made in, which it does not outlive. */
  sessionHash: Buffer;
  seconds: number;
}

/** Also removes those that have expired. */
export const insertPass = async (db: Db, { hash, kind, sessionHash, seconds }: Pass): Promise<void> => {
  await sql`delete from job_passes where expires_at <= now()`.execute(db);
  await sql`insert into job_passes (hash, kind, session_hash, expires_at)
    values (${hash}, ${kind}, ${sessionHash}, now() + make_interval(secs => ${seconds}))`.execute(db);
};

/** The ticket's session; a second time there is none. */
export const takeTicket = async (db: Db, hash: Buffer): Promise<Buffer | undefined> => {
  const { rows } = await sql<{ sessionHash: Buffer }>`
    delete from job_passes where hash = ${hash} and kind = 'ticket' and expires_at > now()
    returning session_hash as "sessionHash"`.execute(db);
  return rows[0]?.sessionHash;
};

export const findCookie = async (db: Db, hash: Buffer): Promise<Buffer | undefined> => {
  const { rows } = await sql<{ sessionHash: Buffer }>`
    select session_hash as "sessionHash" from job_passes
    where hash = ${hash} and kind = 'cookie' and expires_at > now()`.execute(db);
  return rows[0]?.sessionHash;
};
