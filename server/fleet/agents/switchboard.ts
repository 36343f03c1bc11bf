import { MAX_FRAME_BYTES, PING_EVERY_MS } from '../../../contract/fleet/agent-protocol.ts';
import { coalesced } from '../../ground/batching/index.ts';
import { openQuota } from '../../ground/limits/index.ts';
import type { Log } from '../../ground/log/index.ts';
import { listenTo } from '../../ground/postgres/index.ts';
import type { Sockets, TextSocket } from '../../ground/route/index.ts';
import { readAgentSettings, touchConnections } from './agent-store.ts';
import type { AgentsDeps } from './agents-deps.ts';
import { type OpenConnection, openConnection } from './connection.ts';
import { giveHandOvers } from './hand-over-store.ts';
import { withDefaults } from './join.ts';
import { AGENTS_CHANNEL, readAgentNotice } from './notice-store.ts';

interface SwitchboardDeps extends AgentsDeps {
  url: string;
  log: Pick<Log, 'warn' | 'info'>;
}

type AgentSocket = Sockets[`GET /${string}`];

/** Those that have not said who they are. */
const STRANGERS = { total: 200, perKey: 20 };
/** Notices may be lost. */
const LOOK_MS = 1_000;

/** The connections of agents to this process: gives them what they are to send, and closes those that no longer count. */
export const openSwitchboard = (deps: SwitchboardDeps) => {
  const { db, url, log } = deps;
  const connections = new Map<string, OpenConnection>();
  const takePlace = openQuota(STRANGERS);

  const give = async (): Promise<void> => {
    const ids = [...connections.keys()];
    if (ids.length === 0) return;
    const byAgent = Map.groupBy(await giveHandOvers(db, ids), ({ agentId }) => agentId);
    for (const id of ids) {
      const connection = connections.get(id);
      connection?.give(byAgent.get(connection.agentId) ?? []);
    }
  };
  const giving = coalesced(give, (error) => log.warn({ err: error }, 'agents could not be given messages'));

  const isHere = (agentId: string): boolean =>
    [...connections.values()].some((connection) => connection.agentId === agentId);

  /** Those that a newer one has replaced, at whichever process, and those of agents that were removed. */
  const touch = async (): Promise<void> => {
    if (connections.size === 0) return;
    for (const id of await touchConnections(db, [...connections.keys()])) connections.get(id)?.replace();
  };
  const touchSoon = (): void => {
    touch().catch((error) => log.warn({ err: error }, 'the connections of agents could not be checked'));
  };

  const tellSettings = async (agentId: string): Promise<void> => {
    for (const connection of connections.values())
      if (connection.agentId === agentId) {
        const settings = await readAgentSettings(db, connection.agentId);
        if (settings) connection.tell({ type: 'settings', settings: withDefaults(settings) });
      }
  };

  const listener = listenTo({
    url,
    channel: AGENTS_CHANNEL,
    onNotice: (payload) => {
      const notice = readAgentNotice(payload);
      if (notice.kind === 'result' || !isHere(notice.agentId)) return;
      if (notice.kind === 'send') giving.ask();
      if (notice.kind === 'changed') touchSoon();
      if (notice.kind === 'settings')
        tellSettings(notice.agentId).catch((error) =>
          log.warn({ err: error }, 'an agent was not told its settings'),
        );
    },
    onReady: () => {
      giving.ask();
      touchSoon();
    },
    onError: (error) => log.warn({ err: error }, 'the agents hear no notices for a moment'),
  });
  const lookTimer = setInterval(giving.ask, LOOK_MS);
  const pingTimer = setInterval(() => {
    for (const connection of connections.values()) connection.check();
    touchSoon();
  }, PING_EVERY_MS);

  const board: Parameters<typeof openConnection>[1]['board'] = {
    add: (connection) => {
      connections.set(connection.connectionId, connection);
      giving.ask();
    },
    remove: ({ connectionId }) => void connections.delete(connectionId),
  };
  return {
    admit: ({ address }: { address: string }): (() => void) => takePlace(address),
    open: (socket: TextSocket, { log: socketLog, admitted }: Parameters<AgentSocket['open']>[1]) =>
      openConnection(deps, { socket, log: socketLog, onHello: admitted, board }),
    close: async (): Promise<void> => {
      clearInterval(lookTimer);
      clearInterval(pingTimer);
      await listener.close();
    },
  };
};
export type Switchboard = ReturnType<typeof openSwitchboard>;

/** Where agents connect. */
export const agentSockets = ({ admit, open }: Pick<Switchboard, 'admit' | 'open'>): Sockets => ({
  'GET /agents/connect': { maxBytes: MAX_FRAME_BYTES, admit, open },
});
