import { sql } from 'kysely';
import type { HandOverId } from '../../../contract/fleet/agent-protocol.ts';
import type { AgentId } from '../../../contract/fleet/agents.ts';
import type { Db } from '../../ground/postgres/index.ts';

/** What the processes tell each other about agents. */
export const AGENTS_CHANNEL = 'posthorn_agents';

export type AgentNotice =
  /** Something is to be handed to it. */
  | { kind: 'send'; agentId: AgentId }
  /** It is connected, or not any more, or a modem of it has changed. */
  | { kind: 'state'; agentId: AgentId }
  /** Another connection counts, or none any more. */
  | { kind: 'changed'; agentId: AgentId }
  | { kind: 'settings'; agentId: AgentId }
  /** It has said what came of a hand-over. */
  | { kind: 'result'; id: HandOverId };

export const readAgentNotice = (payload: string): AgentNotice => JSON.parse(payload) as AgentNotice;

/** When the given transaction commits. */
export const notifyAgents = async (db: Db, notices: AgentNotice[]): Promise<void> => {
  if (notices.length === 0) return;
  await sql`select pg_notify(${AGENTS_CHANNEL}, payload)
    from unnest(${notices.map((notice) => JSON.stringify(notice))}::text[]) as payload`.execute(db);
};
