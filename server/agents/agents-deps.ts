import type { AgentId } from '../../contract/agents.ts';
import type { Receiver, ReceivingLane } from '../delivery/index.ts';
import type { Limits } from '../limits/index.ts';
import type { Publisher } from '../outbox/index.ts';
import type { PhonesDeps } from '../phones/index.ts';
import type { Db } from '../postgres/index.ts';

export interface AgentsDeps {
  db: Db;
  limits: Pick<Limits, 'consume' | 'giveBack'>;
  phones: PhonesDeps;
  receiver: Receiver<ReceivingLane>;
  publisher: Publisher;
  /** Where agents reach this program. */
  publicUrl: string;
}

/** A connection that the agent may use. */
export interface AgentConnection {
  agentId: AgentId;
  connectionId: string;
}
