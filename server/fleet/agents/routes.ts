import type { PhoneId } from '../../../contract/fleet/phones.ts';
import type { Language } from '../../../contract/ground/constants.ts';
import { DomainError } from '../../ground/domain-error.ts';
import type { Db } from '../../ground/postgres/index.ts';
import type { CallerRoutes } from '../../ground/route/index.ts';
import { sayReason } from '../../ground/translations/index.ts';
import { readPhoneAgent, readPhoneNames } from '../phones/index.ts';
import { listAgents, readAgentNames, removeAgent, updateSettings } from './agent-store.ts';
import type { AgentsDeps } from './agents-deps.ts';
import { makeKey, withDefaults } from './join.ts';
import { confirmMovedSim } from './link-modems.ts';
import { type ModemRow, readModems } from './modem-store.ts';
import { type AgentNotice, notifyAgents } from './notice-store.ts';

export type AgentRouteDeps = Pick<AgentsDeps, 'db' | 'publicUrl' | 'phones'>;

/** Of phones whose SIM is said to have moved: who drove them until then. */
const readDrivers = async (db: Db, modems: ModemRow[]): Promise<Map<PhoneId, string>> => {
  const drivers = new Map<PhoneId, string>();
  for (const { movedPhoneId } of modems) {
    const agentId = movedPhoneId && (await readPhoneAgent(db, movedPhoneId));
    const [agent] = agentId ? await readAgentNames(db, [agentId]) : [];
    if (movedPhoneId && agent) drivers.set(movedPhoneId, agent.name);
  }
  return drivers;
};

const viewAgents = async ({ db }: Pick<AgentRouteDeps, 'db'>, language: Language) => {
  const agents = await listAgents(db);
  const modems = await readModems(
    db,
    agents.map(({ id }) => id),
  );
  const phones = await readPhoneNames(
    db,
    modems.flatMap(({ phoneId, movedPhoneId }) => phoneId ?? movedPhoneId ?? []),
  );
  const drivers = await readDrivers(db, modems);
  const ofAgent = Map.groupBy(modems, ({ agentId }) => agentId);
  return agents.map(({ id, joinedAt, seenAt, settings, ...agent }) => ({
    ...agent,
    _id: id,
    joinedAt: joinedAt.toISOString(),
    lastSeenAt: seenAt?.toISOString() ?? null,
    settings: withDefaults(settings),
    modems: (ofAgent.get(id) ?? []).map(
      ({ agentId: _, imsi: __, phoneNumber: ___, phoneId, movedPhoneId, movedAt, up, ...modem }) => {
        const phone = phoneId ? phones.get(phoneId) : undefined;
        return {
          ...modem,
          up: up && agent.connected,
          reason: sayReason(language, modem.reason),
          phoneId,
          phoneName: phone?.name ?? '',
          moved:
            movedPhoneId && movedAt
              ? {
                  phoneName: phones.get(movedPhoneId)?.name ?? '',
                  agentName: drivers.get(movedPhoneId) ?? '',
                  since: movedAt.toISOString(),
                }
              : null,
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
    'GET /admin/agents': async ({ language }) => ({ agents: await viewAgents(deps, language) }),
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
    'POST /admin/agents/:agentId/movedSim': async ({
      params: { agentId },
      body: { modem: name },
      changed,
    }) => {
      const { phoneId, before } = await confirmMovedSim(deps, { agentId, name });
      changed({ subject: phoneId, before: { agentId: before }, after: { agentId, modem: name } });
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
