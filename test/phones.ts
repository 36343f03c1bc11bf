import type { PhoneEdit, PhoneId } from '../contract/fleet/phones.ts';
import { SIMULATED_RECIPIENTS } from '../contract/traffic/simulator.ts';
import { agentDriver } from '../server/fleet/agents/index.ts';
import { addPhone, changePhone } from '../server/fleet/phones/index.ts';
import type { Db } from '../server/ground/postgres/index.ts';
import { phoneSimulator } from '../server/providers/simulator/index.ts';

/** For tests in which no agent is connected. */
const NO_DESK = {
  handOver: () => new Promise<never>(() => {}),
  forget: () => {},
  watch: async () => () => {},
};

/** The phones room on a test's database, with simulated phones. */
export const openTestPhones = (db: Db) => {
  const deps = {
    db,
    driver: phoneSimulator({ recipients: SIMULATED_RECIPIENTS }),
    agents: agentDriver(NO_DESK),
  };
  const edit = async (phoneId: PhoneId, ...edits: PhoneEdit[]): Promise<void> => {
    for (const one of edits) await changePhone(deps, phoneId, one);
  };
  /** A phone with these fields, set one after another. */
  const add = async (name: string, ...edits: PhoneEdit[]): Promise<PhoneId> => {
    const phoneId = await addPhone(deps, { name });
    await edit(phoneId, ...edits);
    return phoneId;
  };
  return { deps, add, edit };
};
