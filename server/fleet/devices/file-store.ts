import { sql } from 'kysely';
import type { Db } from '../../ground/postgres/index.ts';
import type { ReceivedFile } from './driver.ts';

export const insertFile = async (
  db: Db,
  { id, deviceId, bytes, mimeType }: ReceivedFile & { id: string; deviceId: string },
): Promise<void> => {
  // PostgreSQL can't store NUL in a text.
  await sql`insert into device_files (id, device_id, mime_type, bytes)
    values (${id}, ${deviceId}, ${mimeType.replaceAll('\0', '')}, ${bytes})`.execute(db);
};

export const findFile = async (db: Db, id: string): Promise<ReceivedFile | undefined> => {
  const { rows } = await sql<ReceivedFile>`
    select bytes, mime_type as "mimeType" from device_files where id::text = ${id}`.execute(db);
  return rows[0];
};

export const forgetOldFiles = async (db: Db): Promise<void> => {
  await sql`delete from device_files where received_at < now() - interval '1 day'`.execute(db);
};
