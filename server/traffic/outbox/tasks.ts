import { z } from 'zod';
import { batchId } from '../../../contract/traffic/messages.ts';
import type { Tasks } from '../../ground/queue/index.ts';
import { CANCEL_BATCH, cancelExpired, cancelRest } from './cancelling/cancel.ts';
import { cancelAccount } from './cancelling/cancel-account.ts';
import { cancelOptedOut } from './cancelling/cancel-opted-out.ts';
import {
  foldCounts,
  foldDeliveries,
  foldDurations,
  foldLaneCounts,
  foldTraffic,
} from './counters/counter-store.ts';
import { removeOldQuestions } from './doubt/question-store.ts';
import { removeOldInboundIds } from './incoming/inbound-store.ts';
import { removeOldSessions } from './incoming/session-store.ts';
import { removeOldUnassigned } from './incoming/unassigned-store.ts';
import { RELEASE_DUE, type ReleaseDeps, releaseDue } from './moving/release-due.ts';
import type { OutboxDeps } from './outbox-deps.ts';
import type { Publisher } from './outbox-event.ts';
import { reconcile } from './results/reconcile.ts';
import { HOLD_ACCOUNT, holdAccount, holdStragglers } from './waiting/hold-account.ts';
import { makePartitions, summarizeMessages } from './waiting/new-message-store.ts';

/** Partitions exist long before they are needed, so a failing task is no emergency. */
const MONTHS_AHEAD = 3;
/** Most changes are recent; later ones are merged at night. */
const RECENT_HOURS = 3;
const OLD_HOURS = 70 * 24;

const cancelRequest = z.object({ batchId });

export const outboxTasks = ({
  db,
  log,
  publisher,
}: Pick<OutboxDeps, 'db' | 'log'> & { publisher?: Publisher }): Tasks => ({
  'outbox.make-partitions': { cron: '23 * * * *', run: () => makePartitions(db, MONTHS_AHEAD) },
  'outbox.summarize': { cron: '* * * * *', retryLimit: 0, run: () => summarizeMessages(db) },
  'outbox.fold-counts': { cron: '* * * * *', retryLimit: 0, run: () => foldCounts(db, RECENT_HOURS) },
  'outbox.fold-old-counts': { cron: '11 4 * * *', run: () => foldCounts(db, OLD_HOURS) },
  'outbox.fold-deliveries': {
    cron: '* * * * *',
    retryLimit: 0,
    run: () => foldDeliveries(db, RECENT_HOURS),
  },
  'outbox.fold-lane-counts': {
    cron: '* * * * *',
    retryLimit: 0,
    run: async () => {
      await foldLaneCounts(db, RECENT_HOURS);
      await foldDurations(db, RECENT_HOURS);
      await foldTraffic(db);
    },
  },
  'outbox.fold-old-lane-counts': {
    cron: '27 4 * * *',
    run: async () => {
      await foldLaneCounts(db, OLD_HOURS);
      await foldDurations(db, OLD_HOURS);
    },
  },
  'outbox.fold-old-deliveries': { cron: '19 4 * * *', run: () => foldDeliveries(db, OLD_HOURS) },
  /** Enqueued when a recipient opts out. */
  'outbox.cancel-opted-out': {
    run: async (data) => {
      const cancelled = await cancelOptedOut(db, data);
      if (cancelled > 0) log.info({ cancelled }, 'messages to opted-out recipients were cancelled');
    },
  },
  /** Enqueued when an account is closed. */
  'outbox.cancel-account': {
    run: async (data, signal) => {
      const cancelled = await cancelAccount(db, data, signal);
      if (cancelled > 0) log.info({ cancelled }, 'messages of a closed account were cancelled');
    },
  },
  [CANCEL_BATCH]: {
    run: (data, signal) => cancelRest(db, cancelRequest.parse(data).batchId, signal),
  },
  'outbox.cancel-expired': {
    cron: '* * * * *',
    retryLimit: 0,
    run: async () => {
      const expired = await cancelExpired(db);
      if (expired > 0) log.warn({ expired }, 'scheduled messages could not go out in time');
    },
  },
  'outbox.reconcile': {
    cron: '* * * * *',
    // The next minute's run is the retry.
    retryLimit: 0,
    run: async () => {
      const { adopted, unknown } = await reconcile(db, { ...(publisher && { publisher }) });
      if (adopted > 0) log.info({ adopted }, 'receipts settled messages whose outcome was unknown');
      if (unknown > 0) log.warn({ unknown }, 'the outcome of messages stays unknown: an admin has to look');
    },
  },
  'outbox.remove-old': {
    cron: '31 * * * *',
    run: async () => {
      await removeOldInboundIds(db);
      await removeOldUnassigned(db);
      await removeOldSessions(db);
      await removeOldQuestions(db);
    },
  },
});

export const releaseTasks = (deps: ReleaseDeps): Tasks => ({
  // Enqueued by each acceptance for its time; and every minute, in case the lane was missing.
  [RELEASE_DUE]: { cron: '* * * * *', run: async () => void (await releaseDue(deps)) },
  // Enqueued when an account is suspended or restored.
  [HOLD_ACCOUNT]: { run: (data) => holdAccount(deps, data) },
  'outbox.hold-stragglers': { cron: '* * * * *', retryLimit: 0, run: () => holdStragglers(deps) },
});
