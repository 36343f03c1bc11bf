import { randomBytes, randomUUID } from 'node:crypto';
import { vi } from 'vitest';
import type { AccountId } from '../contract/customer/accounts.ts';
import {
  AGENT_PROTOCOL,
  type AgentFrame,
  type Hello,
  type ServerFrame,
} from '../contract/fleet/agent-protocol.ts';
import type { PhoneId } from '../contract/fleet/phones.ts';
import { SIMULATED_RECIPIENTS } from '../contract/traffic/simulator.ts';
import {
  adminAgentRoutes,
  agentDriver,
  openHandOverDesk,
  openSwitchboard,
} from '../server/fleet/agents/index.ts';
import { changePhone, openPhoneCarrier } from '../server/fleet/phones/index.ts';
import { phoneSimulator } from '../server/providers/simulator/index.ts';
import { openReceiver } from '../server/traffic/delivery/index.ts';
import type { ServableLane } from '../server/traffic/lanes/index.ts';
import { noSubscribers } from '../server/traffic/outbox/index.ts';
import type { TestDelivery } from './delivery.ts';

type Send = Extract<ServerFrame, { type: 'send' }>;

/** The agents room on a test's database; agents are played by the test, on connections in memory. */
export const openTestAgents = ({ db, url, warnings }: TestDelivery) => {
  const log = {
    info: () => {},
    warn: (_: object, text: string) => void warnings.push(text),
    error: () => {},
  };
  const publisher = noSubscribers;
  const openDesk = () => openHandOverDesk({ db, url, log: log as never, publisher });
  const desk = openDesk();
  const phonesOf = (handOvers: ReturnType<typeof openDesk>) => ({
    db,
    driver: phoneSimulator({ recipients: SIMULATED_RECIPIENTS }),
    agents: agentDriver(handOvers),
  });
  const phones = phonesOf(desk);
  const running = [desk.run()];
  const limits = { consume: async () => {}, giveBack: async () => {} };
  const boards: ReturnType<typeof openSwitchboard>[] = [];
  /** A web process. */
  const openBoard = () => {
    const receiver = openReceiver({ db, log, publisher });
    const agents = { db, limits, phones, receiver, publisher, publicUrl: 'http://127.0.0.1' };
    const board = openSwitchboard({ ...agents, url, log: log as never });
    boards.push(board);
    return board;
  };
  const routes = adminAgentRoutes({ db, phones, publicUrl: 'http://127.0.0.1' });
  const call = (name: keyof typeof routes, input: object = {}) =>
    (routes[name] as (input: object) => Promise<never>)({
      caller: { accountId: randomUUID() as AccountId },
      changed: () => {},
      ...input,
    });

  const newIdentity = () => ({ agentId: randomUUID(), secret: randomBytes(32).toString('base64url') });

  /** A connection of an agent to a web process. */
  const connect = (board: ReturnType<typeof openSwitchboard>, hello: Partial<Hello>) => {
    const frames: ServerFrame[] = [];
    const state = { closed: undefined as number | undefined };
    const close = (code: number): void => {
      if (state.closed !== undefined) return;
      state.closed = code;
      listener.onEnd();
    };
    const socket = {
      address: '127.0.0.1',
      send: (text: string) => void frames.push(JSON.parse(text)),
      ping: () => {},
      end: close,
      cut: () => close(1006),
    };
    const listener = board.open(socket, { log: log as never, admitted: () => {} });
    const say = (frame: AgentFrame): void => listener.onText(JSON.stringify(frame));
    say({
      type: 'hello',
      protocol: AGENT_PROTOCOL,
      name: 'pi',
      version: '1.0.0',
      modems: [],
      holds: [],
      ...newIdentity(),
      ...hello,
    } as Hello);
    return {
      frames,
      state,
      say,
      /** As if the line were cut. */
      cut: () => close(1006),
      sends: () => frames.filter((frame): frame is Send => frame.type === 'send'),
      has: (type: ServerFrame['type']) =>
        vi.waitFor(
          () => {
            const found = frames.find((frame) => frame.type === type);
            if (!found) throw new Error(`no ${type} among ${JSON.stringify(frames)}, closed ${state.closed}`);
            return found;
          },
          { timeout: 20_000, interval: 20 },
        ),
      beat: (modems: (Hello['modems'][number] & { up?: boolean; balance?: string; validUntil?: string })[]) =>
        say({ type: 'heartbeat', modems: modems.map((modem) => ({ up: true, ...modem })) }),
      result: (id: string, more: Partial<Extract<AgentFrame, { type: 'result' }>> = {}) =>
        say({
          type: 'result',
          id: id as Send['id'],
          modem: 'm1',
          outcome: 'sent',
          references: ['7'],
          code: '',
          reason: '',
          retryable: false,
          at: new Date().toISOString(),
          ...more,
        }),
    };
  };

  return {
    phones,
    openBoard,
    call,
    newIdentity,
    connect,
    switchOn: (phoneId: PhoneId) => changePhone(phones, phoneId, { smsActive: true }),
    openCarrier: (lane: ServableLane) => openPhoneCarrier(phones, lane),
    /** For another worker. */
    openDesk: () => {
      const other = openDesk();
      running.push(other.run());
      return phonesOf(other);
    },
    close: async (): Promise<void> => {
      await Promise.all(boards.map((board) => board.close()));
      await Promise.all(running.map(({ stop }) => stop()));
    },
  };
};
