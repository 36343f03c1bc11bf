import type { AgentId } from '../../../contract/fleet/agents.ts';
import type { Limits } from '../../ground/limits/index.ts';
import type { Db } from '../../ground/postgres/index.ts';
import type { Receiver, ReceivingLane } from '../../traffic/delivery/index.ts';
import type { Publisher } from '../../traffic/outbox/index.ts';
import type { PhonesDeps } from '../phones/index.ts';

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
