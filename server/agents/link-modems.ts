import type { Heartbeat, Hello } from '../../contract/agent-protocol.ts';
import type { AgentId } from '../../contract/agents.ts';
import { microsFromDecimal } from '../../contract/money.ts';
import type { PhoneId } from '../../contract/phones.ts';
import { type AgentSim, findPhoneOfSim, linkPhone, takeReports } from '../phones/index.ts';
import type { Db } from '../postgres/index.ts';
import type { AgentsDeps } from './agents-deps.ts';
import {
  dropModems,
  type ModemRow,
  readModems,
  setPhone,
  storeModems,
  type ToldModem,
} from './modem-store.ts';
import { notifyAgents } from './notice-store.ts';

type Told = Hello['modems'][number] & Partial<Heartbeat['modems'][number]>;

/** The method of its phone's lane. */
export const methodOf = (driver: ModemRow['driver']): AgentSim['method'] =>
  driver === 'gammu' ? 'gammu' : 'sim-modem';

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
    if (known?.phoneId && isSame(known, modem)) phoneOf.set(name, known.phoneId);
    else {
      const phoneId = await linkSim(deps, trx, agent, modem);
      await setPhone(trx, { agentId, name, phoneId });
      phoneOf.set(name, phoneId);
    }
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
