import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { RetentionRuleName } from '../../../contract/office/retention.ts';
import {
  anonymiseAccount,
  type ClosedStage,
  holdClosed,
  listClosedBefore,
  listEverClosedBefore,
  REOPEN_DAYS,
  writeForgotten,
} from '../../customer/accounts/index.ts';
import { forgetContacts } from '../../customer/contacts/index.ts';
import { forgetOptOuts } from '../../customer/opt-outs/index.ts';
import { cardReferences } from '../../customer/wallet/index.ts';
import type { Erasure } from '../../ground/erasure/index.ts';
import { type Db, isLockTimeout } from '../../ground/postgres/index.ts';
import { copiedTexts, dropTextsOfMonth } from '../../traffic/messages/index.ts';
import {
  dropMonth,
  listMonthsBefore,
  messageRecords,
  namedMessages,
} from '../../traffic/outbox/counters/index.ts';
import { forgetWebhooks } from '../../traffic/webhooks/index.ts';
import { listMailsBefore, removeMail } from '../mailbox/index.ts';
import type { RetentionRule, RuleRun } from './rule.ts';

/** Customer data: up to 7 years after closure, says the privacy text. */
const CUSTOMER_DATA_DAYS = 7 * 365;
/** Other data: within 60 days. */
const OTHER_DATA_DAYS = 60;
/** As much as one transaction removes. */
const PIECE = 2_000;

interface OfClosed {
  name: RetentionRuleName;
  days: number;
  stage: ClosedStage;
  part: Erasure;
}

/** Instead of a piece of a reopened account: neither it nor any further piece is removed. */
const NOTHING = { rows: 0, next: undefined };

/** One account after the other, the earliest closed first; each piece first checks that the account is still closed. */
const ofClosed = ({ name, days, stage, part }: OfClosed): RetentionRule => ({
  name,
  days,
  count: async (db, before) => {
    let count = 0;
    for (const { id } of await listClosedBefore(db, { before, stage })) count += await part.count(db, id);
    return count;
  },
  remove: async ({ db, cutoff, signal, piece }) => {
    for (const { id: accountId, closedAt } of await listClosedBefore(db, { before: cutoff, stage })) {
      let after: string | undefined;
      do {
        if (signal.aborted) return;
        const done = await piece(async (trx) => {
          if (!(await holdClosed(trx, { accountId, before: cutoff }))) return NOTHING;
          const removed = await part.remove(trx, { accountId, after, limit: PIECE });
          return { upTo: closedAt, ...removed };
        });
        after = done.next;
      } while (after !== undefined);
    }
  },
});

const NAMES = { days: REOPEN_DAYS, stage: 'anonymised' } as const;
const BOOKS = { days: CUSTOMER_DATA_DAYS, stage: 'forgotten' } as const;

/** What has to be removed before the account row itself. */
const NAMED: Record<string, Erasure> = {
  'closed-messages': namedMessages,
  'closed-texts': copiedTexts,
  'closed-contacts': forgetContacts,
  'closed-opt-outs': forgetOptOuts,
  'closed-webhooks': forgetWebhooks,
};

/** The last step of a stage: only if nothing of the others is left; otherwise the account waits for another day. */
const lastStep = (
  { name, days, stage }: Omit<OfClosed, 'part'>,
  before: Erasure[],
  finish: (trx: Db, accountId: AccountId, at: Date) => Promise<boolean>,
): RetentionRule => ({
  name,
  days,
  count: async (db, cutoff) => (await listClosedBefore(db, { before: cutoff, stage })).length,
  remove: async ({ db, now, cutoff, signal, piece }) => {
    for (const { id, closedAt } of await listClosedBefore(db, { before: cutoff, stage })) {
      if (signal.aborted) return;
      const left = await Promise.all(before.map((part) => part.count(db, id)));
      if (left.some((count) => count > 0)) continue;
      await piece(async (trx) => {
        if (!(await holdClosed(trx, { accountId: id, before: cutoff }))) return NOTHING;
        return { rows: Number(await finish(trx, id, now)), upTo: closedAt, next: undefined };
      });
    }
  },
});

/**
 * Months in which only forgotten accounts wrote are dropped whole; what is left in other months is deleted row by row.
 */
const closedRecords: RetentionRule = (() => {
  const rows = ofClosed({ name: 'closed-records', ...BOOKS, part: messageRecords });
  const dropMonths = async ({ db, cutoff, signal, piece }: RuleRun) => {
    const accountIds = await listEverClosedBefore(db, cutoff);
    for (const { name, end } of await listMonthsBefore(db, cutoff)) {
      if (signal.aborted) return;
      try {
        await piece(async (trx) => {
          const rows = await dropMonth(trx, { name, accountIds });
          if (rows !== undefined) await dropTextsOfMonth(trx, name);
          return { rows: rows ?? 0, upTo: end, next: undefined };
        });
      } catch (error) {
        if (!isLockTimeout(error)) throw error;
      }
    }
  };
  return {
    ...rows,
    remove: async (run) => {
      await dropMonths(run);
      await rows.remove(run);
    },
  };
})();

/** Mails that were not sent but kept on this machine. */
const mailCopies = (folder: string): RetentionRule => ({
  name: 'mail-copies',
  days: OTHER_DATA_DAYS,
  count: async (_, cutoff) => (await listMailsBefore(folder, cutoff)).length,
  remove: async ({ cutoff, signal, piece }) => {
    for (const { path, writtenAt } of await listMailsBefore(folder, cutoff)) {
      if (signal.aborted) return;
      await piece(async () => {
        await removeMail(path);
        return { rows: 1, upTo: writtenAt, next: undefined };
      });
    }
  },
});

/**
 * Every rule, in the order in which they run. Rooms that remove their own data within 60 days (sessions, tokens, files,
 * keys, events, media, calls) are not here: docs/RUNBOOK.md lists them.
 */
export const retentionRules = ({ mailboxFolder }: { mailboxFolder: string }): RetentionRule[] => [
  ...Object.entries(NAMED).map(([name, part]) =>
    ofClosed({ name: name as RetentionRuleName, ...NAMES, part }),
  ),
  lastStep({ name: 'closed-profile', ...NAMES }, Object.values(NAMED), anonymiseAccount),
  closedRecords,
  lastStep({ name: 'closed-identity', ...BOOKS }, [messageRecords], async (trx, accountId, at) => {
    let after: string | undefined = '';
    while (after !== undefined)
      after = (await cardReferences.remove(trx, { accountId, after, limit: PIECE })).next;
    return writeForgotten(trx, { accountId, at });
  }),
  mailCopies(mailboxFolder),
];
