import type { Db } from '../../../ground/postgres/index.ts';
import { removeSession } from './session-store.ts';

/** Ends this session only: other browsers stay signed in. */
export const logOut = (db: Db, sessionHash: Buffer): Promise<void> => removeSession(db, sessionHash);
