import type { HandOverId } from '../../../contract/fleet/agent-protocol.ts';
import type { PhoneId } from '../../../contract/fleet/phones.ts';
import { coalesced, openBatcher } from '../../ground/batching/index.ts';
import type { Log } from '../../ground/log/index.ts';
import { type Db, isConnectionError, listenTo } from '../../ground/postgres/index.ts';
import type { SendOutcome } from '../../traffic/lanes/index.ts';
import { type Publisher, settleLate } from '../../traffic/outbox/index.ts';
import {
  insertHandOvers,
  listAnswered,
  type NewHandOver,
  readAnswers,
  removeHandOvers,
  removeOldHandOvers,
  splitHandOverId,
  withdrawHandOvers,
} from './hand-over-store.ts';
import { readStates } from './modem-store.ts';
import { AGENTS_CHANNEL, notifyAgents, readAgentNotice } from './notice-store.ts';

interface DeskDeps {
  db: Db;
  url: string;
  log: Pick<Log, 'warn' | 'info'>;
  publisher: Publisher;
}

type Watcher = (state: { up: boolean; reason: string }) => void;

/** Notices may be lost. */
const LOOK_MS = 1_000;
/** The worker that waited for an answer has stored it by then, unless it is gone. */
const SETTLE_AFTER_MS = 3_000;
const AT_ONCE = 500;
const RETRY_MS = 200;

const NO_MODEM = { up: false, reason: 'The phone is in no modem of an agent.' };
const REFUSED: SendOutcome = {
  outcome: 'refused',
  code: 'NO_MODEM',
  reason: NO_MODEM.reason,
  retryable: true,
};

const openStore = (db: Db) =>
  openBatcher<NewHandOver, boolean>({
    maxItems: AT_ONCE,
    retry: { isTransient: isConnectionError, delayMs: RETRY_MS },
    flush: async (handOvers) => {
      const found = await db.transaction().execute(async (trx) => {
        const rows = await insertHandOvers(trx, handOvers);
        const agents = new Set(rows.map(({ agentId }) => agentId));
        await notifyAgents(
          trx,
          [...agents].map((agentId) => ({ kind: 'send', agentId })),
        );
        return new Set(rows.map(({ id }) => id));
      });
      return handOvers.map(({ id }) => found.has(id));
    },
  });

/** What no worker has stored, because it is gone or had given up. */
const settleLeft = async ({ db, log, publisher }: DeskDeps): Promise<void> => {
  await withdrawHandOvers(db);
  const answered = await listAnswered(db, { olderMs: SETTLE_AFTER_MS, limit: AT_ONCE });
  if (answered.length === 0) return removeOldHandOvers(db);
  const results = answered.map(({ id, outcome, at }) => {
    const { messageId, attempt } = splitHandOverId(id);
    return { id: messageId, attempt, outcome, at: at.getTime() };
  });
  const { settled, open } = await settleLate(db, { results, publisher });
  if (settled > 0) log.info({ settled }, 'agents settled messages whose outcome was unknown');
  const left = new Set(open.map(({ id, attempt }) => `${id}.${attempt}`));
  await removeHandOvers(
    db,
    answered.flatMap(({ id }) => (left.has(id) ? [] : [id])),
  );
};

/**
 * A worker's side of agents: stores what they are to send, and waits for what came of it. Whichever process has an
 * agent's connection takes it from there (decision 0036).
 */
export const openHandOverDesk = (deps: DeskDeps) => {
  const { db, url, log } = deps;
  const waiting = new Map<HandOverId, (outcome: SendOutcome) => void>();
  const watchers = new Map<PhoneId, Watcher>();
  let settledAt = 0;

  const stored = openStore(db);

  const lookForAnswers = async (): Promise<void> => {
    if (waiting.size === 0) return;
    for (const { id, outcome } of await readAnswers(db, [...waiting.keys()])) {
      waiting.get(id)?.(outcome);
      waiting.delete(id);
    }
  };

  const lookAtStates = async (): Promise<void> => {
    if (watchers.size === 0) return;
    const phoneIds = [...watchers.keys()];
    const states = new Map((await readStates(db, phoneIds)).map((state) => [state.phoneId, state]));
    for (const phoneId of phoneIds) watchers.get(phoneId)?.(states.get(phoneId) ?? NO_MODEM);
  };

  const looks = coalesced(
    async () => {
      await lookForAnswers();
      await lookAtStates();
      if (Date.now() - settledAt < LOOK_MS) return;
      settledAt = Date.now();
      await settleLeft(deps);
    },
    (error) => log.warn({ err: error }, 'the agents could not be asked'),
  );

  return {
    /** Resolves with what the agent says came of it, whenever that is. */
    handOver: async (handOver: NewHandOver): Promise<SendOutcome> => {
      const { promise, resolve } = Promise.withResolvers<SendOutcome>();
      waiting.set(handOver.id, resolve);
      if (await stored.add(handOver)) return promise;
      waiting.delete(handOver.id);
      return REFUSED;
    },
    /** No worker waits for this answer any more. */
    forget: (id: HandOverId): void => void waiting.delete(id),
    /** Tells whether the phone's modem can send, now and whenever that changes. Returns how to end that. */
    watch: async (phoneId: PhoneId, watcher: Watcher): Promise<() => void> => {
      watchers.set(phoneId, watcher);
      const [state = NO_MODEM] = await readStates(db, [phoneId]);
      watcher(state);
      return () => {
        if (watchers.get(phoneId) === watcher) watchers.delete(phoneId);
      };
    },
    /** Waits for answers and looks after what is left, as long as the process runs; several may do so concurrently. */
    run: (): { stop: () => Promise<void> } => {
      const listener = listenTo({
        url,
        channel: AGENTS_CHANNEL,
        onNotice: (payload) => {
          const notice = readAgentNotice(payload);
          if (notice.kind === 'state' || (notice.kind === 'result' && waiting.has(notice.id))) looks.ask();
        },
        onReady: looks.ask,
        onError: (error) => log.warn({ err: error }, 'the worker hears nothing of agents for a moment'),
      });
      const timer = setInterval(looks.ask, LOOK_MS);
      return {
        stop: async () => {
          clearInterval(timer);
          await listener.close();
          await looks.idle();
        },
      };
    },
  };
};
export type HandOverDesk = ReturnType<typeof openHandOverDesk>;
