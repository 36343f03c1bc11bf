import type { Heartbeat, Hello } from '../../../contract/fleet/agent-protocol.ts';
import type { AgentId } from '../../../contract/fleet/agents.ts';
import type { PhoneId } from '../../../contract/fleet/phones.ts';
import { microsFromDecimal } from '../../../contract/ground/money.ts';
import { DomainError } from '../../ground/domain-error.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { type AgentSim, findPhoneOfSim, linkPhone, readPhoneAgent, takeReports } from '../phones/index.ts';
import { readAgentNames } from './agent-store.ts';
import type { AgentsDeps } from './agents-deps.ts';
import {
  dropModems,
  lockModem,
  type ModemRow,
  readModems,
  setMoved,
  setPhone,
  storeModems,
  type ToldModem,
} from './modem-store.ts';
import { notifyAgents } from './notice-store.ts';

type Told = Hello['modems'][number] & Partial<Heartbeat['modems'][number]>;

/** The method of its phone's lane. */
export const methodOf = (driver: ModemRow['driver']): AgentSim['method'] =>
  driver === 'gammu' ? 'gammu' : 'sim-modem';

/** It waits for an operator's word, and says the same as before. */
const isWaiting = (known: ModemRow | undefined, { imsi, phoneNumber }: ToldModem): boolean =>
  known?.movedPhoneId != null &&
  (imsi === undefined || imsi === known.imsi) &&
  (phoneNumber === undefined || phoneNumber === known.phoneNumber);

const isSame = (before: ModemRow | undefined, { driver, imsi, phoneNumber }: ToldModem): boolean =>
  before?.phoneId != null &&
  methodOf(before.driver) === methodOf(driver) &&
  (imsi === undefined || imsi === before.imsi) &&
  (imsi !== undefined || phoneNumber === undefined || phoneNumber === before.phoneNumber);

export interface TellingAgent {
  agentId: AgentId;
  name: string;
}

/** The phone of a SIM of this agent; added if there is none. */
const linkSim = (
  { phones }: Pick<AgentsDeps, 'phones'>,
  trx: Db,
  { agentId, name: agentName }: TellingAgent,
  { name, driver, imsi = '', phoneNumber = '' }: ToldModem,
): Promise<PhoneId> =>
  linkPhone(phones, trx, {
    agentId,
    imsi,
    phoneNumber,
    method: methodOf(driver),
    name: `${agentName}-${name}`,
  });

/** The phone of a SIM that was in a modem and is not any more, perhaps without having been reported. */
export const findFormerSim = async (
  deps: Pick<AgentsDeps, 'db' | 'phones'>,
  agent: TellingAgent,
  { name, driver, imsi }: Pick<ModemRow, 'name' | 'driver' | 'imsi'>,
): Promise<PhoneId> =>
  (await findPhoneOfSim(deps.db, { imsi, phoneNumber: '' })) ??
  deps.db.transaction().execute((trx) => linkSim(deps, trx, agent, { name, driver, imsi }));

/**
 * The phone of this SIM, if another agent drives it, or drove it last. An IMSI is no secret: whoever says that it has
 * another's SIM would get its messages, so an operator has to confirm that it has moved.
 */
const findPhoneOfOther = async (
  trx: Db,
  agentId: AgentId,
  { imsi = '', phoneNumber = '' }: ToldModem,
): Promise<PhoneId | undefined> => {
  const phoneId = await findPhoneOfSim(trx, { imsi, phoneNumber });
  const driver = phoneId && (await readPhoneAgent(trx, phoneId));
  return driver && driver !== agentId ? phoneId : undefined;
};

/** Stores the modems of an agent, and gives each that has another SIM than before the phone that this SIM is. */
const linkModems = async (
  deps: Pick<AgentsDeps, 'phones'>,
  trx: Db,
  agent: TellingAgent,
  told: Told[],
): Promise<Map<string, PhoneId>> => {
  const { agentId } = agent;
  const before = new Map((await readModems(trx, [agentId])).map((modem) => [modem.name, modem]));
  const modems = told.map(({ number, ...modem }) => ({ ...modem, phoneNumber: number }));
  await storeModems(trx, agentId, modems);
  const phoneOf = new Map<string, PhoneId>();
  for (const modem of modems) {
    const { name } = modem;
    const known = before.get(name);
    if (known?.phoneId && isSame(known, modem)) {
      phoneOf.set(name, known.phoneId);
      continue;
    }
    if (isWaiting(known, modem)) continue;
    const other = await findPhoneOfOther(trx, agentId, modem);
    if (other) {
      await setMoved(trx, { agentId, name, phoneId: other });
      continue;
    }
    const phoneId = await linkSim(deps, trx, agent, modem);
    await setPhone(trx, { agentId, name, phoneId });
    phoneOf.set(name, phoneId);
  }
  return phoneOf;
};

/** Takes the modems that an agent has when it connects; it has no others. They can't send before its first heartbeat. */
export const takeModems = async (
  deps: Pick<AgentsDeps, 'phones'>,
  trx: Db,
  agent: TellingAgent,
  modems: Hello['modems'],
): Promise<void> => {
  await linkModems(deps, trx, agent, modems);
  const names = modems.map(({ name }) => name);
  await dropModems(trx, agent.agentId, names);
};

/** Takes what an agent tells of its modems: state, signal, and what the inventory keeps of their SIMs. */
export const takeHeartbeat = async (
  deps: Pick<AgentsDeps, 'db' | 'phones'>,
  agent: TellingAgent,
  { modems }: Heartbeat,
): Promise<void> => {
  if (modems.length === 0) return;
  const phoneOf = await deps.db.transaction().execute(async (trx) => {
    const linked = await linkModems(deps, trx, agent, modems);
    await notifyAgents(trx, [{ kind: 'state', agentId: agent.agentId }]);
    return linked;
  });
  // A phone of which nothing works is not alive: after three minutes it is DOWN.
  const alive = modems.filter(({ up }) => up);
  await takeReports(
    deps,
    alive.flatMap(({ name, imsi, balance, validUntil }) => {
      const phoneId = phoneOf.get(name);
      const balanceMicros = balance === undefined ? undefined : microsFromDecimal(balance);
      return phoneId ? [{ phoneId, imsi, validUntil, balanceMicros }] : [];
    }),
  );
};

/** An operator's word that the SIM is in this modem now: its phone, and what is queued for it, goes by this agent. */
export const confirmMovedSim = async (
  deps: Pick<AgentsDeps, 'db' | 'phones'>,
  { agentId, name }: { agentId: AgentId; name: string },
): Promise<{ phoneId: PhoneId; before: AgentId }> =>
  deps.db.transaction().execute(async (trx) => {
    const [agent] = await readAgentNames(trx, [agentId]);
    const modem = await lockModem(trx, { agentId, name });
    const phoneId = modem?.movedPhoneId;
    const before = phoneId && (await readPhoneAgent(trx, phoneId));
    if (!agent || !modem || !phoneId || !before) throw new DomainError('E_NOT_FOUND');
    await linkSim(deps, trx, { agentId, name: agent.name }, modem);
    await setPhone(trx, { agentId, name, phoneId });
    await notifyAgents(trx, [
      { kind: 'state', agentId },
      { kind: 'state', agentId: before },
    ]);
    return { phoneId, before };
  });
