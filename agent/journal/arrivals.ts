import { randomUUID } from 'node:crypto';
import type { AgentIncoming } from '../../contract/fleet/agent-protocol.ts';
import type { JournalRecord, KeptArrival } from './records.ts';
import type { JournalState } from './state.ts';

/** Parts that have not come by then don't come any more. */
const PARTS_WITHIN_MS = 24 * 60 * 60_000;
const GAP = '…';
const MOST_CHARACTERS = 20_000;

const groupOf = ({ modem, imsi, from, concatenation }: KeptArrival): string =>
  [modem, imsi, from, concatenation?.reference, concatenation?.total].join(' ');

/** Puts messages together of the parts that came in. */
export const openArrivals = (state: JournalState, note: (...records: JournalRecord[]) => void) => {
  const tell = (parts: KeptArrival[], gaps: boolean): AgentIncoming => {
    const [first] = parts;
    if (!first) throw new Error('a message has at least one part');
    const total = first.concatenation?.total ?? 1;
    const byNumber = new Map(parts.map((part) => [part.concatenation?.number ?? 1, part]));
    const texts = Array.from({ length: total }, (_, at) => byNumber.get(at + 1)?.text ?? (gaps ? GAP : ''));
    const incoming: AgentIncoming = {
      type: 'incoming',
      id: randomUUID(),
      modem: first.modem,
      ...(first.imsi && { imsi: first.imsi }),
      from: first.from.slice(0, 40) || 'unknown',
      text: texts.join('').slice(0, MOST_CHARACTERS),
      at: first.at,
    };
    note({ kind: 'incoming', incoming, keys: parts.map(({ key }) => key) });
    return incoming;
  };
  const waitingParts = (group: string): KeptArrival[] =>
    [...state.arrivals.values()].filter((one) => !one.incoming && groupOf(one) === group);
  const tellIfComplete = (arrival: KeptArrival): AgentIncoming | undefined => {
    const total = arrival.concatenation?.total ?? 1;
    const parts = total === 1 ? [arrival] : waitingParts(groupOf(arrival));
    const numbers = new Set(parts.map(({ concatenation }) => concatenation?.number));
    return numbers.size >= total ? tell(parts, false) : undefined;
  };
  // The process before this one may have ended after it had noted an arrival and before it had told it.
  for (const arrival of state.arrivals.values()) if (!arrival.incoming) tellIfComplete(arrival);

  return {
    tellIfComplete,
    /** Of messages whose parts don't come any more: with gaps. */
    giveUp: (time: number): AgentIncoming[] => {
      const groups = new Set(
        [...state.arrivals.values()]
          .filter(({ incoming, keptAt }) => !incoming && keptAt + PARTS_WITHIN_MS < time)
          .map(groupOf),
      );
      return [...groups].map((group) => tell(waitingParts(group), true));
    },
  };
};
