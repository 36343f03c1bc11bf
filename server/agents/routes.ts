import { DomainError } from '../domain-error.ts';
import { readPhoneNames } from '../phones/index.ts';
import type { CallerRoutes } from '../route/index.ts';
import { listAgents, removeAgent, updateSettings } from './agent-store.ts';
import type { AgentsDeps } from './agents-deps.ts';
import { makeKey, withDefaults } from './join.ts';
import { readModems } from './modem-store.ts';
import { type AgentNotice, notifyAgents } from './notice-store.ts';

export type AgentRouteDeps = Pick<AgentsDeps, 'db' | 'publicUrl'>;

const viewAgents = async ({ db }: AgentRouteDeps) => {
  const agents = await listAgents(db);
  const modems = await readModems(
    db,
    agents.map(({ id }) => id),
  );
  const phones = await readPhoneNames(
    db,
    modems.flatMap(({ phoneId }) => phoneId ?? []),
  );
  const ofAgent = Map.groupBy(modems, ({ agentId }) => agentId);
  return agents.map(({ id, joinedAt, seenAt, settings, ...agent }) => ({
    ...agent,
    _id: id,
    joinedAt: joinedAt.toISOString(),
    lastSeenAt: seenAt?.toISOString() ?? null,
    settings: withDefaults(settings),
    modems: (ofAgent.get(id) ?? []).map(
      ({ agentId: _, imsi: __, phoneNumber: ___, phoneId, up, ...modem }) => {
        const phone = phoneId ? phones.get(phoneId) : undefined;
        return {
          ...modem,
          up: up && agent.connected,
          phoneId,
          phoneName: phone?.name ?? '',
          sending: phone?.sending ?? false,
        };
      },
    ),
  }));
};

export const adminAgentRoutes = (deps: AgentRouteDeps): CallerRoutes => {
  const OK = { status: 'ok' } as const;
  /** Tells the others; returns how the agent was before. */
  const tell = async <T>(before: T | undefined, notices: AgentNotice[]): Promise<T> => {
    if (before === undefined) throw new DomainError('E_NOT_FOUND');
    await notifyAgents(deps.db, notices);
    return before;
  };
  return {
    'GET /admin/agents': async () => ({ agents: await viewAgents(deps) }),
    'POST /admin/agentKeys': async ({ caller, changed }) => {
      const { key, expiresAt } = await makeKey(deps, caller.accountId);
      changed({ after: { expiresAt: expiresAt.toISOString() } });
      return { key, expiresAt: expiresAt.toISOString(), server: deps.publicUrl };
    },
    'PUT /admin/agents/:agentId': async ({ params: { agentId }, body, changed }) => {
      const before = await tell(await updateSettings(deps.db, agentId, body), [
        { kind: 'settings', agentId },
      ]);
      changed({ before: withDefaults(before), after: withDefaults(body) });
      return OK;
    },
    'DELETE /admin/agents/:agentId': async ({ params: { agentId }, changed }) => {
      const before = await tell(await removeAgent(deps.db, agentId), [
        { kind: 'changed', agentId },
        { kind: 'state', agentId },
      ]);
      changed({ before });
      return OK;
    },
  };
};
