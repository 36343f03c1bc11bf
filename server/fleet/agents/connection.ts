/**
 * One agent's connection, from its first moment to the end of its socket. Its modes:
 * - silent: it has not said who it is. Its hello makes it greeting; without one it is over after HELLO_WITHIN_MS.
 * - greeting: its hello is looked up (join.ts). A welcome makes it open; a refusal, a fault or any other frame over. It
 *   keeps its place among strangers until it is known, or gone: one that was refused until its socket has closed.
 * - open: it is on the switchboard's board, which gives it hand-overs and checks whether it is heard. What it says is
 *   stored in rounds, one after the other: what arrives meanwhile is stored together. Remembered is what it was given
 *   (its hello names what it holds), what waits to be stored, and when it was last heard.
 * - over: nothing is said or heard any more. `end` makes it so, with a code of the protocol, or the socket's end. It
 *   stays on the board until the socket has ended.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  AGENT_REPEAT_MS,
  HELLO_WITHIN_MS,
  type Hello,
  type ServerFrame,
} from '../../../contract/fleet/agent-protocol.ts';
import type { Log } from '../../ground/log/index.ts';
import type { SocketListener, TextSocket } from '../../ground/route/index.ts';
import { endConnection } from './agent-store.ts';
import type { AgentConnection, AgentsDeps } from './agents-deps.ts';
import { type Given, giveDue, isSilent, readFrame, type Step, stepFor, TAKEN } from './connection-steps.ts';
import type { OpenHandOver } from './hand-over-store.ts';
import { join } from './join.ts';
import { notifyAgents } from './notice-store.ts';
import { NOTHING, openRounds, type Rounds } from './store-rounds.ts';

/** As the switchboard sees it. */
export interface OpenConnection extends AgentConnection {
  give: (handOvers: OpenHandOver[]) => void;
  tell: (frame: ServerFrame) => void;
  /** A newer connection counts, or the agent was removed. */
  replace: () => void;
  /** Pings it, or cuts it if it has been silent for too long. */
  check: () => void;
}

interface Surroundings {
  socket: TextSocket;
  log: Pick<Log, 'info' | 'warn'>;
  board: { add: (connection: OpenConnection) => void; remove: (connection: OpenConnection) => void };
  /** It is known, or gone. */
  onHello: () => void;
}

/** RFC 6455: what it says is against the rules. */
const POLICY = 1008;
const TRY_LATER = 1013;
const REPLACED = 4000;

interface Opened {
  connection: OpenConnection;
  name: string;
  rounds: Rounds;
  heardAt: number;
  given: Given;
}
type Standing =
  | { mode: 'silent' | 'greeting' }
  | { mode: 'open'; opened: Opened }
  | { mode: 'over'; opened: Opened | undefined };
const openedOf = (standing: Standing): Opened | undefined =>
  'opened' in standing ? standing.opened : undefined;

interface Speech {
  tell: (frame: ServerFrame) => void;
  end: (code: number, reason: string) => void;
  isOver: () => boolean;
}

const speechOf = (
  socket: TextSocket,
  { isOver, becomeOver }: { isOver: () => boolean; becomeOver: () => void },
): Speech => ({
  tell: (frame) => {
    if (!isOver()) socket.send(JSON.stringify(frame));
  },
  end: (code, reason) => {
    if (isOver()) return;
    socket.end(code, reason);
    becomeOver();
    // In case the other side does not answer the close.
    void sleep(AGENT_REPEAT_MS, undefined, { ref: false }).then(socket.cut);
  },
  isOver,
});

const openedBy = (
  deps: AgentsDeps,
  { name, holds }: Hello,
  {
    known,
    socket,
    log,
    tell,
    end,
    isOver,
  }: Speech & Pick<Surroundings, 'socket' | 'log'> & { known: AgentConnection },
): Opened => {
  const opened: Opened = {
    connection: {
      ...known,
      give: (handOvers) => {
        const { given, sends } = giveDue(opened.given, handOvers, Date.now());
        opened.given = given;
        sends.forEach(tell);
      },
      tell,
      replace: () => end(REPLACED, 'another connection of this agent counts'),
      check: () => {
        if (isSilent(opened.heardAt, Date.now())) return socket.cut();
        socket.ping();
        tell(NOTHING);
      },
    },
    name,
    rounds: openRounds(deps, { agent: { agentId: known.agentId, name }, tell, isOver, log }),
    heardAt: Date.now(),
    given: new Map(holds.map((id) => [id, TAKEN])),
  };
  return opened;
};

const enter = (
  { board, log }: Pick<Surroundings, 'board' | 'log'>,
  { connection, name }: Opened,
  { version }: Hello,
): void => {
  log.info({ agent: name, version }, 'an agent has connected');
  board.add(connection);
};

const leave = (
  { db }: AgentsDeps,
  { board, log }: Pick<Surroundings, 'board' | 'log'>,
  { connection, name }: Opened,
): void => {
  board.remove(connection);
  log.info({ agent: name }, 'an agent has left');
  db.transaction()
    .execute(async (trx) => {
      const agentId = await endConnection(trx, connection.connectionId);
      if (agentId) await notifyAgents(trx, [{ kind: 'state', agentId }]);
    })
    // It counts as gone when nothing was heard of it for a while.
    .catch((error) => log.warn({ err: error, agent: name }, 'the end of a connection was not stored'));
};

export const openConnection = (
  deps: AgentsDeps,
  { socket, log, board, onHello }: Surroundings,
): SocketListener => {
  let standing: Standing = { mode: 'silent' };

  const isOver = () => standing.mode === 'over';
  const becomeOver = (): void => {
    standing = { mode: 'over', opened: openedOf(standing) };
  };
  const speech = speechOf(socket, { isOver, becomeOver });
  const { tell, end } = speech;
  const hear = (): Opened | undefined => {
    const opened = openedOf(standing);
    if (opened) opened.heardAt = Date.now();
    return opened;
  };
  const helloTimer = setTimeout(() => end(POLICY, 'no hello'), HELLO_WITHIN_MS);

  const greet = async (hello: Hello): Promise<void> => {
    const answer = await join(deps, hello, socket.address);
    clearTimeout(helloTimer);
    if ('type' in answer) {
      log.warn({ agent: hello.name, code: answer.code }, 'an agent was refused');
      tell(answer);
      return end(answer.retry ? TRY_LATER : POLICY, answer.code);
    }
    if (isOver()) return void (await endConnection(deps.db, answer.connection.connectionId));
    onHello();
    tell(answer.welcome);
    const opened = openedBy(deps, hello, { known: answer.connection, socket, log, ...speech });
    standing = { mode: 'open', opened };
    enter({ board, log }, opened, hello);
  };

  const carryOut = (step: Step, opened: Opened | undefined): void => {
    if (step.step === 'end') end(POLICY, 'a frame that is not expected');
    else if (step.step === 'taken') opened?.given.set(step.id, TAKEN);
    else if (step.step === 'store') opened?.rounds.add(step.frame);
    else {
      standing = { mode: 'greeting' };
      greet(step.hello).catch((error) => {
        log.warn({ err: error }, 'an agent could not be let in');
        end(TRY_LATER, 'not now');
      });
    }
  };

  return {
    onText: (text) => {
      // The other side may send frames until its connection is cut; they are ignored.
      if (standing.mode === 'over') return;
      const opened = hear();
      const read = readFrame(text);
      if ('frame' in read) return carryOut(stepFor(standing.mode, read.frame), opened);
      // Retrying would not help: the agent would repeat it on every new connection.
      log.warn({ agent: opened?.name ?? '', fault: read.fault }, 'an agent was refused');
      tell({ type: 'refused', code: 'PROTOCOL', reason: read.fault, retry: false });
      end(POLICY, 'PROTOCOL');
    },
    onPong: () => void hear(),
    onEnd: () => {
      becomeOver();
      clearTimeout(helloTimer);
      onHello();
      const opened = openedOf(standing);
      if (opened) leave(deps, { board, log }, opened);
    },
  };
};
