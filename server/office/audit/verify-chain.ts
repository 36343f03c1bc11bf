import { createHash } from 'node:crypto';
import { openBatcher } from '../../ground/batching/index.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { type Head, listLinks, readHead } from './store.ts';

export interface Verification {
  entries: number;
  /** The last entry as ID:HASH. */
  head: string;
  /** The first entry that is not as it was written. */
  fault: { id: string; why: 'missing' | 'changed' } | null;
}

const PAGE = 500;
const MOST_ASKERS = 1_000;

/**
 * Makes every hash again. Somebody who can change the whole database could make a whole new chain: a head that was
 * noted elsewhere shows that too.
 */
export const verifyChain = async (db: Db, known?: { id: bigint; hash: string }): Promise<Verification> => {
  const head = await readHead(db);
  const faultAt = (id: bigint, why: 'missing' | 'changed'): Verification => ({
    entries: Number(head.id),
    head: `${head.id}:${head.hash.toString('hex')}`,
    fault: { id: String(id), why },
  });
  let last: Head = { id: 0n, hash: Buffer.alloc(0) };
  if (known && known.id > head.id) return faultAt(known.id, 'missing');
  while (last.id < head.id) {
    const links = await listLinks(db, last.id, PAGE);
    if (links.length === 0) return faultAt(last.id + 1n, 'missing');
    for (const { id, previousHash, hash, content } of links) {
      if (id > head.id) break;
      if (id !== last.id + 1n) return faultAt(last.id + 1n, 'missing');
      const made = createHash('sha256').update(last.hash).update(content, 'utf8').digest();
      if (!previousHash.equals(last.hash) || !hash.equals(made)) return faultAt(id, 'changed');
      if (known?.id === id && known.hash !== hash.toString('hex')) return faultAt(id, 'changed');
      last = { id, hash };
    }
  }
  if (!last.hash.equals(head.hash)) return faultAt(head.id, 'changed');
  return { entries: Number(head.id), head: `${head.id}:${head.hash.toString('hex')}`, fault: null };
};

/** The log is read once at a time: whoever asks meanwhile shares the next reading. */
export const openVerifier = (db: Db): (() => Promise<Verification>) => {
  const askers = openBatcher<null, Verification>({
    maxItems: MOST_ASKERS,
    flush: async (asking) => {
      const verification = await verifyChain(db);
      return asking.map(() => verification);
    },
  });
  return () => askers.add(null);
};
