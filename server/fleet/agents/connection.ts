import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AgentFrame,
  agentFrame,
  type HandOverId,
  HELLO_WITHIN_MS,
  type Heartbeat,
  type Hello,
  REPEAT_MS,
  type ServerFrame,
  SILENT_MS,
} from '../../../contract/fleet/agent-protocol.ts';
import type { Log } from '../../ground/log/index.ts';
import type { SocketListener, TextSocket } from '../../ground/route/index.ts';
import { endConnection } from './agent-store.ts';
import type { AgentConnection, AgentsDeps } from './agents-deps.ts';
import type { OpenHandOver } from './hand-over-store.ts';
import { join } from './join.ts';
import { takeHeartbeat } from './link-modems.ts';
import { notifyAgents } from './notice-store.ts';
import { isKept, type KeptFrame, takeFrames } from './take-frames.ts';

/** As the switchboard sees it. */
export interface OpenConnection extends AgentConnection {
  give: (handOvers: OpenHandOver[]) => void;
  tell: (frame: ServerFrame) => void;
  /** A newer connection counts, or the agent was removed. */
  replace: () => void;
  /** Pings it, or cuts it if it has been silent for too long. */
  check: () => void;
}

interface Board {
  add: (connection: OpenConnection) => void;
  remove: (connection: OpenConnection) => void;
}

/** RFC 6455: what it says is against the rules. */
const POLICY = 1008;
const TRY_LATER = 1013;
const REPLACED = 4000;
/** What comes beyond this is left out. It is not acknowledged, so the agent says it again. */
const MOST_WAITING = 5_000;
const AT_ONCE = 500;
/** Of a refusal, as the protocol allows. */
const MOST_REASON = 200;
const VALIDITY_MINUTES = 24 * 60;
const NOTHING: ServerFrame = { type: 'ack', results: [], receipts: [], incoming: [] };

const isHello = (given: unknown): boolean =>
  typeof given === 'object' && given !== null && 'type' in given && given.type === 'hello';
/** What a modem or a sender wrote must not keep the rest from being stored, which knows no NUL. */
const withoutNul = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value;

/** The frame, or what is wrong with it. */
const parse = (text: string): { frame: AgentFrame } | { fault: string } => {
  try {
    const given: unknown = JSON.parse(text);
    const { data, error } = agentFrame.safeParse(isHello(given) ? given : JSON.parse(text, withoutNul));
    if (data) return { frame: data };
    const [issue] = error.issues;
    return { fault: `${issue?.path.join('.')}: ${issue?.message}`.slice(0, MOST_REASON) };
  } catch {
    return { fault: 'It is not JSON.' };
  }
};

/**
 * One agent's connection, from its hello to its end. `onHello` is called when it is known, or gone: a
 * stranger that was refused keeps its place until its socket has closed.
 */
export const openConnection = (
  deps: AgentsDeps,
  {
    socket,
    log,
    board,
    onHello,
  }: { socket: TextSocket; log: Pick<Log, 'info' | 'warn'>; board: Board; onHello: () => void },
): SocketListener => {
  let open: OpenConnection | undefined;
  let agentName = '';
  let greeted = false;
  let over = false;
  let heardAt = Date.now();
  /** What was given here or is on the agent's disk, with when to say it again if it is not taken by then. */
  const given = new Map<HandOverId, number>();
  let waiting: KeptFrame[] = [];
  let heartbeat: Heartbeat | undefined;
  let working = false;

  const tell = (frame: ServerFrame): void => {
    if (!over) socket.send(JSON.stringify(frame));
  };
  const end = (code: number, reason: string): void => {
    if (over) return;
    socket.end(code, reason);
    over = true;
    // If the other side does not answer to that.
    void sleep(REPEAT_MS, undefined, { ref: false }).then(socket.cut);
  };
  const helloTimer = setTimeout(() => end(POLICY, 'no hello'), HELLO_WITHIN_MS);

  const give = (handOvers: OpenHandOver[]): void => {
    const now = Date.now();
    const ids = new Set(handOvers.map(({ id }) => id));
    for (const id of given.keys()) if (!ids.has(id)) given.delete(id);
    for (const { id, modem, recipient, text, until } of handOvers) {
      if ((given.get(id) ?? 0) > now) continue;
      given.set(id, now + REPEAT_MS);
      tell({
        type: 'send',
        id,
        modem,
        recipient,
        text,
        until: until.toISOString(),
        validityMinutes: VALIDITY_MINUTES,
        receipt: true,
      });
    }
  };

  const greet = async (hello: Hello): Promise<void> => {
    const answer = await join(deps, hello, socket.address);
    clearTimeout(helloTimer);
    if ('type' in answer) {
      log.warn({ agent: hello.name, code: answer.code }, 'an agent was refused');
      tell(answer);
      return end(answer.retry ? TRY_LATER : POLICY, answer.code);
    }
    if (over) return void (await endConnection(deps.db, answer.connection.connectionId));
    onHello();
    for (const id of hello.holds) given.set(id, Number.POSITIVE_INFINITY);
    agentName = hello.name;
    tell(answer.welcome);
    open = {
      ...answer.connection,
      give,
      tell,
      replace: () => end(REPLACED, 'another connection of this agent counts'),
      check: () => {
        if (Date.now() - heardAt > SILENT_MS) return socket.cut();
        socket.ping();
        tell(NOTHING);
      },
    };
    log.info({ agent: hello.name, version: hello.version }, 'an agent has connected');
    board.add(open);
  };

  /** One round after the other: what arrives meanwhile is stored together. */
  const work = async ({ agentId }: OpenConnection): Promise<void> => {
    const agent = { agentId, name: agentName };
    while (!over && (waiting.length > 0 || heartbeat)) {
      const beat = heartbeat;
      heartbeat = undefined;
      if (beat) {
        await takeHeartbeat(deps, agent, beat);
        tell(NOTHING);
      }
      const frames = waiting.slice(0, AT_ONCE);
      waiting = waiting.slice(AT_ONCE);
      if (frames.length === 0) continue;
      const { ack, faults } = await takeFrames(deps, agent, frames);
      tell(ack);
      if (faults.length > 0)
        log.warn(
          { err: faults[0], agent: agentName, count: faults.length },
          'some of what an agent said was not stored',
        );
    }
  };
  const workSoon = (): void => {
    if (working || !open) return;
    working = true;
    work(open)
      .catch((error) => {
        // It is not acknowledged, so the agent says it again.
        log.warn({ err: error, agent: agentName }, 'what an agent said was not stored');
      })
      .finally(() => {
        working = false;
        // What came in the same turn, after it had looked.
        if (!over && (waiting.length > 0 || heartbeat)) workSoon();
      });
  };

  return {
    onText: (text) => {
      // It may go on talking until it is cut.
      if (over) return;
      heardAt = Date.now();
      const parsed = parse(text);
      if ('fault' in parsed) {
        // It would say the same again on every new connection.
        log.warn({ agent: agentName, fault: parsed.fault }, 'an agent was refused');
        tell({ type: 'refused', code: 'PROTOCOL', reason: parsed.fault, retry: false });
        return end(POLICY, 'PROTOCOL');
      }
      const { frame } = parsed;
      if ((frame.type === 'hello') === greeted || (!open && frame.type !== 'hello'))
        return end(POLICY, 'a frame that is not expected');
      if (frame.type === 'hello') {
        greeted = true;
        greet(frame).catch((error) => {
          log.warn({ err: error }, 'an agent could not be let in');
          end(TRY_LATER, 'not now');
        });
      } else if (frame.type === 'heartbeat') heartbeat = frame;
      else if (frame.type === 'taken') given.set(frame.id, Number.POSITIVE_INFINITY);
      else if (isKept(frame) && waiting.length < MOST_WAITING) waiting.push(frame);
      workSoon();
    },
    onPong: () => {
      heardAt = Date.now();
    },
    onEnd: () => {
      over = true;
      clearTimeout(helloTimer);
      onHello();
      if (!open) return;
      board.remove(open);
      log.info({ agent: agentName }, 'an agent has left');
      const { connectionId } = open;
      deps.db
        .transaction()
        .execute(async (trx) => {
          const agentId = await endConnection(trx, connectionId);
          if (agentId) await notifyAgents(trx, [{ kind: 'state', agentId }]);
        })
        // It counts as gone when nothing was heard of it for a while.
        .catch((error) =>
          log.warn({ err: error, agent: agentName }, 'the end of a connection was not stored'),
        );
    },
  };
};
