import { openBatcher } from '../../ground/batching/index.ts';
import { type Db, isConnectionError } from '../../ground/postgres/index.ts';
import type { AuditChange } from '../../ground/route/index.ts';
import { insertEntries, type NewAuditEntry } from './store.ts';
import { differing, withoutSecrets } from './without-secrets.ts';

/** What an admin calls, and from where. */
export type AuditedCall = Pick<NewAuditEntry, 'adminId' | 'call' | 'accountId' | 'subject' | 'address'>;

export interface AuditEnd extends AuditChange {
  event: 'done' | 'refused' | 'failed';
}

export interface AuditLog {
  /** Keeps that an admin reads, the same by the minute; resolves once it is stored. */
  read: (call: AuditedCall) => Promise<void>;
  /** Keeps what an admin asks for, before it is done; returns the entry's id, and how to keep its end. */
  ask: (
    call: AuditedCall,
    asked: unknown,
  ) => Promise<{ entryId: string; end: (end: AuditEnd) => Promise<void> }>;
}

/** The entries that one insert keeps, some 50 KB each at most. */
const MOST_ENTRIES = 100;
/** A page that polls reads the same data again and again; that counts as one read. */
const SAME_LOOK_MS = 60_000;
const MOST_LOOKS = 10_000;

export const openAudit = (db: Db): AuditLog => {
  // The hash chain admits one insert at a time, so calls are batched; each would otherwise hold a connection while it
  // waits.
  const entries = openBatcher<NewAuditEntry, string>({
    flush: (added) => insertEntries(db, added),
    maxItems: MOST_ENTRIES,
    splitFailed: (error) => !isConnectionError(error),
  });
  const looks = new Map<string, number>();
  return {
    read: async (call) => {
      const look = JSON.stringify(call);
      const now = Date.now();
      if (now - (looks.get(look) ?? Number.NEGATIVE_INFINITY) < SAME_LOOK_MS) return;
      await entries.add({ ...call, event: 'read' });
      if (looks.size >= MOST_LOOKS) looks.clear();
      looks.set(look, now);
    },
    ask: async (call, asked) => {
      const entryId = await entries.add({ ...call, event: 'asked', asked: withoutSecrets(asked) });
      const end = async ({ event, subject, accountId, ...change }: AuditEnd): Promise<void> => {
        const [before, after] = differing(change.before, change.after);
        const entry: NewAuditEntry = {
          ...call,
          event,
          askedId: entryId,
          subject: subject ?? call.subject,
          accountId: accountId ?? call.accountId,
          before: withoutSecrets(before),
          after: withoutSecrets(after),
        };
        await entries.add(entry);
      };
      return { entryId, end };
    },
  };
};
