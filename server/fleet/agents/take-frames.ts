import type {
  Ack,
  AgentIncoming,
  AgentReceipt,
  HandOverResult,
} from '../../../contract/fleet/agent-protocol.ts';
import type { AgentId } from '../../../contract/fleet/agents.ts';
import { findLanesOfPhones, findPhoneLane, type SendOutcome } from '../../traffic/lanes/index.ts';
import { readLanesOf, settleLate } from '../../traffic/outbox/index.ts';
import { listPhonesOfAgent, storeReceivingLane } from '../phones/index.ts';
import { AGENT } from './agent-driver.ts';
import type { AgentsDeps } from './agents-deps.ts';
import { answerHandOvers, splitHandOverId } from './hand-over-store.ts';
import { findFormerSim, methodOf, type TellingAgent } from './link-modems.ts';
import { readModems } from './modem-store.ts';
import { notifyAgents } from './notice-store.ts';

/** What has to be stored before it is acknowledged. */
export type KeptFrame = HandOverResult | AgentReceipt | AgentIncoming;

/** The hand-over's id is the carrier's id too: the network's references begin anew after 255 messages. */
const outcomeOf = ({ id, outcome, code, reason, retryable }: HandOverResult): SendOutcome => {
  if (outcome === 'sent') return { outcome: 'accepted', providerMessageId: id };
  if (outcome === 'unknown')
    return { outcome: 'unknown', reason: reason || code || 'The modem did not answer.' };
  return { outcome: 'refused', code: code || 'REFUSED', reason, retryable };
};

/** The lanes that an agent may speak for: those of the phones that it drives, or drove last. */
const ownLanes = async ({ db }: Pick<AgentsDeps, 'db'>, agentId: AgentId) =>
  findLanesOfPhones(db, { phoneIds: await listPhonesOfAgent(db, agentId), provider: AGENT });

const takeResults = async (
  { db, publisher }: AgentsDeps,
  agentId: AgentId,
  results: HandOverResult[],
): Promise<void> => {
  if (results.length === 0) return;
  const answers = results.map((result) => ({ id: result.id, outcome: outcomeOf(result) }));
  const gone = await db.transaction().execute(async (trx) => {
    const missing = await answerHandOvers(trx, agentId, answers);
    await notifyAgents(
      trx,
      answers.map(({ id }) => ({ kind: 'result', id })),
    );
    return new Set(missing);
  });
  // No worker waits for these hand-overs any more: their messages have a result or are in doubt.
  const late = results.filter(({ id }) => gone.has(id));
  if (late.length === 0) return;
  await settleLate(db, {
    publisher,
    laneIds: (await ownLanes({ db }, agentId)).map(({ id }) => id),
    results: late.map((result) => {
      const { messageId, attempt } = splitHandOverId(result.id);
      return { id: messageId, attempt, outcome: outcomeOf(result), at: Date.parse(result.at) };
    }),
  });
};

type ModemLane = NonNullable<Awaited<ReturnType<typeof findPhoneLane>>>;
type FindLane<Frame> = (frame: Frame) => Promise<ModemLane | undefined>;

/**
 * Finds the lane of what came to a modem. The SIM that it came to counts, which may be in another modem by now, or in
 * none: whoever has the one in its place must not read it. A SIM of another agent is no barrier: one that knows its
 * IMSI could as well report it as its own. A phone that never sent has no lane before something comes to it.
 */
const openModemLanes = async (
  deps: AgentsDeps,
  agent: TellingAgent,
): Promise<FindLane<{ modem: string; imsi?: string | undefined }>> => {
  const { db, phones } = deps;
  const modems = new Map((await readModems(db, [agent.agentId])).map((modem) => [modem.name, modem]));
  const find: FindLane<{ modem: string; imsi?: string | undefined }> = async ({ modem: name, imsi }) => {
    const modem = modems.get(name);
    if (!modem) return undefined;
    const isInIt = !imsi || !modem.imsi || imsi === modem.imsi;
    const phoneId =
      (isInIt && modem.phoneId) || (imsi && (await findFormerSim(deps, agent, { ...modem, imsi })));
    if (!phoneId) return undefined;
    const way = { phoneId, method: methodOf(modem.driver), provider: AGENT };
    const lane = await findPhoneLane(db, way);
    if (lane) return lane;
    await storeReceivingLane(phones, way);
    return findPhoneLane(db, way);
  };
  const found = new Map<string, ReturnType<typeof find>>();
  return ({ modem, imsi }) => {
    const key = `${modem} ${imsi ?? ''}`;
    const lane = found.get(key) ?? find({ modem, imsi });
    found.set(key, lane);
    return lane;
  };
};

/** Finds the lane of a receipt: that of its message if the agent speaks for it, otherwise that of the modem. */
const openReceiptLanes = async (
  deps: AgentsDeps,
  {
    agentId,
    receipts,
    byModem,
  }: { agentId: AgentId; receipts: AgentReceipt[]; byModem: FindLane<AgentReceipt> },
): Promise<FindLane<AgentReceipt>> => {
  const own = new Map((await ownLanes(deps, agentId)).map((lane) => [lane.id, lane]));
  const messageIds = receipts.map(({ handOverId }) => splitHandOverId(handOverId).messageId);
  const laneIds = await readLanesOf(deps.db, messageIds);
  return async (receipt) =>
    own.get(laneIds.get(splitHandOverId(receipt.handOverId).messageId) ?? 0) ?? byModem(receipt);
};

interface Taken {
  /** What is stored. The rest is told again. */
  ids: string[];
  faults: unknown[];
}

/** Each by itself: one that can't be stored must not hold up the others. */
const takeEach = async <Frame extends { id: string }>(
  frames: Frame[],
  laneOf: FindLane<Frame>,
  store: (lane: ModemLane, frame: Frame) => Promise<void>,
): Promise<Taken> => {
  const taken = await Promise.allSettled(
    frames.map(async (frame) => {
      const lane = await laneOf(frame);
      if (!lane) throw new Error('its phone has no lane');
      await store(lane, frame);
      return frame.id;
    }),
  );
  return {
    ids: taken.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
    faults: taken.flatMap((one) => (one.status === 'rejected' ? [one.reason] : [])),
  };
};

/** Receipts and incoming messages, as far as they could be stored. */
const takeReceived = async (
  deps: AgentsDeps,
  agent: TellingAgent,
  { receipts, incoming }: { receipts: AgentReceipt[]; incoming: AgentIncoming[] },
): Promise<{ receipts: Taken; incoming: Taken }> => {
  const { receiver } = deps;
  const { agentId } = agent;
  const byModem = await openModemLanes(deps, agent);
  const ofReceipt = await openReceiptLanes(deps, { agentId, receipts, byModem });
  return {
    receipts: await takeEach(receipts, ofReceipt, (lane, { handOverId, state, code, at }) =>
      receiver.receipts(lane, [
        {
          providerMessageId: handOverId,
          messageId: splitHandOverId(handOverId).messageId,
          state,
          code,
          at: new Date(at),
        },
      ]),
    ),
    incoming: await takeEach(incoming, byModem, (lane, { id, from, text, at }) =>
      receiver.inbound(lane, [
        { providerMessageId: `${agentId}.${id}`, from, to: lane.sender, text, at: new Date(at) },
      ]),
    ),
  };
};

/**
 * Stores what an agent says. Returns what it need not say again, and why the rest could not be stored. All of it may
 * come repeatedly.
 */
export const takeFrames = async (
  deps: AgentsDeps,
  agent: TellingAgent,
  frames: KeptFrame[],
): Promise<{ ack: Ack; faults: unknown[] }> => {
  const results = frames.filter((frame) => frame.type === 'result');
  const told = {
    receipts: frames.filter((frame) => frame.type === 'receipt'),
    incoming: frames.filter((frame) => frame.type === 'incoming'),
  };
  await takeResults(deps, agent.agentId, results);
  const ack: Ack = { type: 'ack', results: results.map(({ id }) => id), receipts: [], incoming: [] };
  if (results.length === frames.length) return { ack, faults: [] };
  const { receipts, incoming } = await takeReceived(deps, agent, told);
  return {
    ack: { ...ack, receipts: receipts.ids, incoming: incoming.ids },
    faults: [...receipts.faults, ...incoming.faults],
  };
};
