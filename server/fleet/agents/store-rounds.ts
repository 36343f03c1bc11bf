import type { Heartbeat, ServerFrame } from '../../../contract/fleet/agent-protocol.ts';
import { coalesced } from '../../ground/batching/index.ts';
import type { Log } from '../../ground/log/index.ts';
import type { AgentConnection, AgentsDeps } from './agents-deps.ts';
import { takeHeartbeat } from './link-modems.ts';
import { type KeptFrame, takeFrames } from './take-frames.ts';

export const NOTHING: ServerFrame = { type: 'ack', results: [], receipts: [], incoming: [] };
/** What comes beyond this is left out. It is not acknowledged, so the agent says it again. */
const MOST_WAITING = 5_000;
const AT_ONCE = 500;

interface RoundsOptions {
  agent: Pick<AgentConnection, 'agentId'> & { name: string };
  tell: (frame: ServerFrame) => void;
  isOver: () => boolean;
  log: Pick<Log, 'warn'>;
}

/** Stores what an agent says, one round after the other: what arrives meanwhile is stored together. */
export const openRounds = (deps: AgentsDeps, { agent, tell, isOver, log }: RoundsOptions) => {
  let waiting: KeptFrame[] = [];
  let heartbeat: Heartbeat | undefined;

  const store = async (): Promise<void> => {
    if (isOver() || (waiting.length === 0 && !heartbeat)) return;
    // For what this round leaves, should it fail too.
    rounds.ask();
    const beat = heartbeat;
    heartbeat = undefined;
    if (beat) {
      await takeHeartbeat(deps, agent, beat);
      tell(NOTHING);
    }
    const frames = waiting.slice(0, AT_ONCE);
    waiting = waiting.slice(AT_ONCE);
    if (frames.length === 0) return;
    const { ack, faults } = await takeFrames(deps, agent, frames);
    tell(ack);
    if (faults.length > 0)
      log.warn(
        { err: faults[0], agent: agent.name, count: faults.length },
        'some of what an agent said was not stored',
      );
  };
  const rounds = coalesced(store, (error) => {
    // It is not acknowledged, so the agent says it again.
    log.warn({ err: error, agent: agent.name }, 'what an agent said was not stored');
  });

  return {
    add: (frame: Heartbeat | KeptFrame): void => {
      if (frame.type === 'heartbeat') heartbeat = frame;
      else if (waiting.length < MOST_WAITING) waiting.push(frame);
      rounds.ask();
    },
  };
};

export type Rounds = ReturnType<typeof openRounds>;
