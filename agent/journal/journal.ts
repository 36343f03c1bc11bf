import { randomUUID } from 'node:crypto';
import type {
  Ack,
  AgentIncoming,
  AgentReceipt,
  AgentSend,
  HandOverResult,
} from '../../contract/fleet/agent-protocol.ts';
import type { Arrival, DeliveryReport, ModemOutcome } from '../modems/modem.ts';
import { openAppendFile, readJournalRecords } from './append-file.ts';
import { openArrivals } from './arrivals.ts';
import { findAwaited, mergeReport } from './match-report.ts';
import type { Awaited, JournalRecord, KeptArrival } from './records.ts';
import { applyRecord, emptyState, type HandOver, type JournalState, recordsOf } from './state.ts';

/** What the agent took, and what came of it, on its disk until the server has stored it. */
export interface AgentJournal {
  find: (id: string) => HandOver | undefined;
  /** In the order in which they were taken. */
  handOvers: () => HandOver[];
  take: (send: AgentSend) => void;
  /** Before the modem gets it. */
  begin: (id: string) => void;
  finish: (send: AgentSend, outcome: ModemOutcome) => HandOverResult;
  /** A receipt for the server, if the report completes one. */
  report: (modem: string, report: DeliveryReport) => AgentReceipt | undefined;
  /** A message for the server, if the arrival completes one. */
  arrive: (at: { modem: string; imsi?: string | undefined }, arrival: Arrival) => AgentIncoming | undefined;
  deleted: (key: string) => void;
  /** What the server has not acknowledged, the oldest first. */
  unacknowledged: () => (HandOverResult | AgentReceipt | AgentIncoming)[];
  acknowledge: (ack: Pick<Ack, 'results' | 'receipts' | 'incoming'>) => void;
  /** Forgets what nobody asks for any more, and gives up waiting for parts. Returns messages with gaps. */
  sweep: (now: number) => AgentIncoming[];
  close: () => void;
}

interface JournalOptions {
  path: string;
  now: () => number;
  maxBytes?: number;
}

const MAX_BYTES = 1 << 20;
/** Longer than the validity of any message, in which receipts come. */
const RECEIPTS_AFTER_MS = 24 * 60 * 60_000;
const MINUTE_MS = 60_000;
/** Networks repeat reports that were not acknowledged, and a modem those that it had not deleted when the agent ended. */
const REPORTS_REPEATED_MS = 24 * 60 * 60_000;
/** Clocks differ, and a hand-over may be repeated until its end. */
const REMEMBER_AFTER_MS = 60 * 60_000;
export const ARRIVALS_KNOWN_MS = 7 * 24 * 60 * 60_000;

/** What nobody asks for any more. */
const overAt = (state: JournalState, time: number): JournalRecord[] => {
  const over = [...state.handOvers.values()]
    .filter(({ stored, send }) => stored && Date.parse(send.until) + REMEMBER_AFTER_MS < time)
    .map(({ send }): JournalRecord => ({ kind: 'forget', id: send.id }));
  const late = [...state.awaited.values(), ...state.settled.values()]
    .filter(({ until }) => until < time)
    .map(({ id }): JournalRecord => ({ kind: 'await-no-more', id }));
  // For phones that never delete messages: older messages are not requested.
  const old = [...state.arrivals.values()]
    .filter(({ incoming, keptAt }) => incoming && keptAt + ARRIVALS_KNOWN_MS < time)
    .map(({ key }): JournalRecord => ({ kind: 'forget-arrival', key }));
  return [...over, ...late, ...old];
};

/** Throws if the file is damaged or can't be written: nothing may be sent then. */
export const openAgentJournal = ({ path, now, maxBytes = MAX_BYTES }: JournalOptions): AgentJournal => {
  const state = emptyState();
  for (const record of readJournalRecords(path)) applyRecord(state, record as JournalRecord);
  const file = openAppendFile({ path, snapshot: () => recordsOf(state), maxBytes });
  const note = (...records: JournalRecord[]): void => {
    file.append(records);
    for (const record of records) applyRecord(state, record);
  };

  const arrivals = openArrivals(state, note);

  return {
    find: (id) => state.handOvers.get(id),
    handOvers: () => [...state.handOvers.values()],
    take: (send) => note({ kind: 'take', send }),
    begin: (id) => note({ kind: 'begin', id }),
    finish: (send, { outcome, references, parts, code, reason, retryable }) => {
      const result: HandOverResult = {
        type: 'result',
        id: send.id,
        modem: send.modem,
        outcome,
        references,
        code: code.slice(0, 40),
        reason: reason.slice(0, 200),
        retryable,
        at: new Date(now()).toISOString(),
      };
      const awaited: Awaited = {
        id: send.id,
        modem: send.modem,
        recipient: send.recipient,
        parts,
        references,
        delivered: [],
        until: now() + send.validityMinutes * MINUTE_MS + RECEIPTS_AFTER_MS,
      };
      // The receipts first: without the result it is unknown, which a receipt may settle.
      if (send.receipt && outcome !== 'refused') note({ kind: 'await', awaited }, { kind: 'result', result });
      else note({ kind: 'result', result });
      return result;
    },
    report: (modem, report) => {
      const found = findAwaited(state, modem, report);
      if (!found) return undefined;
      const { awaited, state: end } = mergeReport(found, report);
      if (!end) {
        note({ kind: 'await', awaited });
        return undefined;
      }
      const receipt: AgentReceipt = {
        type: 'receipt',
        id: randomUUID(),
        modem,
        handOverId: awaited.id,
        state: end,
        code: report.code.slice(0, 40),
        at: report.at.toISOString(),
      };
      const settled = { ...awaited, until: now() + REPORTS_REPEATED_MS };
      note({ kind: 'receipt', receipt }, { kind: 'settle', awaited: settled });
      return receipt;
    },
    arrive: ({ modem, imsi }, { at, ...arrival }) => {
      if (state.arrivals.has(arrival.key)) return undefined;
      const kept: KeptArrival = { ...arrival, modem, imsi, at: at.toISOString(), keptAt: now() };
      note({ kind: 'arrive', arrival: kept });
      return arrivals.tellIfComplete(kept);
    },
    deleted: (key) => {
      if (state.arrivals.has(key)) note({ kind: 'deleted', key });
    },
    unacknowledged: () => [
      ...[...state.handOvers.values()].flatMap(({ result, stored }) => (result && !stored ? [result] : [])),
      ...state.receipts.values(),
      ...state.incoming.values(),
    ],
    acknowledge: ({ results, receipts, incoming }) => {
      const records: JournalRecord[] = [
        ...results
          .filter((id) => state.handOvers.get(id)?.stored === false)
          .map((id) => ({ kind: 'result-stored', id }) as const),
        ...receipts
          .filter((id) => state.receipts.has(id))
          .map((id) => ({ kind: 'receipt-stored', id }) as const),
        ...incoming
          .filter((id) => state.incoming.has(id))
          .map((id) => ({ kind: 'incoming-stored', id }) as const),
      ];
      if (records.length > 0) note(...records);
    },
    sweep: (time) => {
      const forgotten = overAt(state, time);
      if (forgotten.length > 0) note(...forgotten);
      return arrivals.giveUp(time);
    },
    close: () => file.close(),
  };
};
