import { AGENT_PROTOCOL, type Heartbeat, type Hello, MOST_HELD } from '../contract/fleet/agent-protocol.ts';
import type { openIdentity } from './identity.ts';
import type { HandOver } from './journal/state.ts';
import type { Balance } from './modems/read-balance.ts';
import type { ServedModem } from './modems/serve-modem.ts';

type Described = Pick<ServedModem, 'name' | 'modem'>;

const describe = ({ name, modem: { driver, state } }: Described): Hello['modems'][number] => {
  const { imsi, number } = state();
  return { name, driver, imsi, number };
};

export const heartbeatOf = (
  served: Described[],
  balanceOf: (name: string) => Balance | undefined,
): Heartbeat => ({
  type: 'heartbeat',
  modems: served.map((one) => {
    const { up, reason, signal, network } = one.modem.state();
    return {
      ...describe(one),
      up,
      reason: reason?.slice(0, 200),
      signal,
      network: network?.slice(0, 200),
      ...balanceOf(one.name),
    };
  }),
});

interface Who {
  identity: Pick<ReturnType<typeof openIdentity>, 'agentId' | 'secret' | 'joined'>;
  /** Said as long as it has not joined. */
  key?: string | undefined;
  name: string;
  version: string;
}

export const helloOf = (
  { identity, key, name, version }: Who,
  { served, handOvers }: { served: Described[]; handOvers: HandOver[] },
): Hello => ({
  type: 'hello',
  protocol: AGENT_PROTOCOL,
  agentId: identity.agentId,
  secret: identity.secret,
  ...(!identity.joined() && key && { key }),
  name,
  version,
  modems: served.map(describe),
  holds: handOvers
    .filter(({ stored }) => !stored)
    .slice(0, MOST_HELD)
    .map(({ send }) => send.id),
});
