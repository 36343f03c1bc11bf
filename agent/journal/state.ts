import type {
  AgentIncoming,
  AgentReceipt,
  AgentSend,
  HandOverResult,
} from '../../contract/fleet/agent-protocol.ts';
import type { Awaited, JournalRecord, KeptArrival } from './records.ts';

export interface HandOver {
  send: AgentSend;
  begun: boolean;
  result: HandOverResult | undefined;
  /** The server has stored the result; the id is remembered until nobody may ask for it any more. */
  stored: boolean;
}

/** All that the agent must not forget. */
export interface JournalState {
  handOvers: Map<string, HandOver>;
  awaited: Map<string, Awaited>;
  /** Messages that have their receipt, for as long as reports on them are repeated. */
  settled: Map<string, Awaited>;
  receipts: Map<string, AgentReceipt>;
  arrivals: Map<string, KeptArrival>;
  incoming: Map<string, AgentIncoming>;
}

export const emptyState = (): JournalState => ({
  handOvers: new Map(),
  awaited: new Map(),
  settled: new Map(),
  receipts: new Map(),
  arrivals: new Map(),
  incoming: new Map(),
});

const changeArrival = (
  { arrivals }: JournalState,
  key: string,
  change: Pick<KeptArrival, 'incoming' | 'deleted'>,
): void => {
  const one = arrivals.get(key);
  if (!one) return;
  const changed = { ...one, ...change };
  if (changed.incoming && changed.deleted) arrivals.delete(key);
  else arrivals.set(key, changed);
};

export const applyRecord = (state: JournalState, record: JournalRecord): void => {
  const { handOvers, awaited, settled, receipts, arrivals, incoming } = state;
  const change = (id: string, part: Partial<HandOver>): void => {
    const one = handOvers.get(id);
    if (one) handOvers.set(id, { ...one, ...part });
  };
  switch (record.kind) {
    case 'take':
      handOvers.set(record.send.id, { send: record.send, begun: false, result: undefined, stored: false });
      break;
    case 'begin':
      change(record.id, { begun: true });
      break;
    case 'result':
      change(record.result.id, { result: record.result });
      break;
    case 'result-stored': {
      const one = handOvers.get(record.id);
      // Its text is not needed any more: it leaves the file when that is written anew.
      if (one) handOvers.set(record.id, { ...one, stored: true, send: { ...one.send, text: '' } });
      break;
    }
    case 'forget':
      handOvers.delete(record.id);
      break;
    case 'await':
      awaited.set(record.awaited.id, record.awaited);
      break;
    case 'settle':
      awaited.delete(record.awaited.id);
      settled.set(record.awaited.id, record.awaited);
      break;
    case 'await-no-more':
      awaited.delete(record.id);
      settled.delete(record.id);
      break;
    case 'receipt':
      receipts.set(record.receipt.id, record.receipt);
      break;
    case 'receipt-stored':
      receipts.delete(record.id);
      break;
    case 'arrive':
      arrivals.set(record.arrival.key, record.arrival);
      break;
    case 'deleted':
      changeArrival(state, record.key, { deleted: true });
      break;
    case 'forget-arrival':
      arrivals.delete(record.key);
      break;
    case 'incoming':
      incoming.set(record.incoming.id, record.incoming);
      for (const key of record.keys) changeArrival(state, key, { incoming: record.incoming.id });
      break;
    case 'incoming-stored':
      incoming.delete(record.id);
      break;
  }
};

const recordsOfHandOver = ({ send, begun, result, stored }: HandOver): JournalRecord[] => {
  const records: JournalRecord[] = [{ kind: 'take', send }];
  if (begun) records.push({ kind: 'begin', id: send.id });
  if (result) records.push({ kind: 'result', result });
  if (stored) records.push({ kind: 'result-stored', id: send.id });
  return records;
};

/** The records that lead to this state. */
export const recordsOf = ({
  handOvers,
  awaited,
  settled,
  receipts,
  arrivals,
  incoming,
}: JournalState): JournalRecord[] => [
  ...[...handOvers.values()].flatMap(recordsOfHandOver),
  ...Array.from(awaited.values(), (one): JournalRecord => ({ kind: 'await', awaited: one })),
  ...Array.from(settled.values(), (one): JournalRecord => ({ kind: 'settle', awaited: one })),
  ...Array.from(receipts.values(), (receipt): JournalRecord => ({ kind: 'receipt', receipt })),
  ...Array.from(arrivals.values(), (arrival): JournalRecord => ({ kind: 'arrive', arrival })),
  ...Array.from(incoming.values(), (one): JournalRecord => ({ kind: 'incoming', incoming: one, keys: [] })),
];
