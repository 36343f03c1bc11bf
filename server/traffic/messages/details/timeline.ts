import type { EntryId } from '../../../../contract/customer/wallet.ts';
import type { Language } from '../../../../contract/ground/constants.ts';
import { numberFromMicros } from '../../../../contract/ground/money.ts';
import type { MessageStep } from '../../../../contract/traffic/message-details.ts';
import type { ItemMove } from '../../../customer/wallet/index.ts';
import type { Resolved } from '../../outbox/index.ts';
import type { MessageHistory, PassedLane } from './timeline-store.ts';
import { outcomeReason, RECEIPT_REASON } from './view-outcome.ts';

interface Told {
  history: MessageHistory;
  lanes: Map<number, PassedLane>;
  /** Refunds, and charges after them. */
  moves: ItemMove[];
  resolutions: Resolved[];
  /** Of the admins who resolved it. */
  emails: ReadonlyMap<string, string>;
  language: Language;
  /** Admins see the lanes by name. */
  admin: boolean;
}

type Step<K extends MessageStep['kind']> = MessageStep & { kind: K };

const iso = (moment: Date): string => moment.toISOString();
const isoOf = (moment: string): string => new Date(moment).toISOString();

const nameOf = ({ lanes, admin }: Told, id: number | null): string | null =>
  admin && id !== null ? (lanes.get(id)?.name ?? null) : null;

/** Its lane when it was accepted, or when it was due. */
const firstLane = ({ route, laneId }: MessageHistory): number | null => route?.[0]?.from ?? laneId;

const acceptance = ({ history, lanes }: Told): MessageStep[] => {
  const at = iso(history.createdAt);
  const segments = Math.max(history.segment, 1);
  const lane = lanes.get(firstLane(history) ?? -1);
  const way = history.kind === 'CSV' ? 'CSV' : history.byPage ? 'PAGE' : 'API';
  return [
    { kind: 'accepted', at, way, batchId: history.batchId, messages: history.together ?? 1 },
    {
      kind: 'priced',
      at,
      segments,
      unitPrice: numberFromMicros(history.priceMicros / BigInt(segments)),
      price: numberFromMicros(history.priceMicros),
      country: history.country,
      carrierName: lane?.carrier ?? '',
      entryId:
        history.captureId === null || history.priceMicros === 0n
          ? null
          : (String(history.captureId) as EntryId),
    },
  ];
};

const schedule = ({ history: { createdAt, scheduledAt, expiresAt } }: Told): Step<'scheduled'>[] =>
  scheduledAt
    ? [
        {
          kind: 'scheduled',
          at: iso(createdAt),
          sendAt: iso(scheduledAt),
          until: expiresAt && iso(expiresAt),
        },
      ]
    : [];

/** Only what the test secret sends costs nothing. How lanes compete is for admins. */
const routedWhy = ({ history, admin }: Told, lane: PassedLane | undefined): Step<'routed'>['why'] => {
  const { priceMicros, content, laneWhy } = history;
  if (laneWhy === 'DEVICE') return laneWhy;
  if (lane?.simulated) return priceMicros === 0n ? 'TEST' : 'NO_REAL_LANE';
  if (admin && laneWhy) return laneWhy;
  return content?.sessionSince === undefined ? 'PREFERRED' : 'CONVERSATION';
};

const routing = (told: Told): Step<'routed'>[] => {
  const { history, lanes } = told;
  const first = firstLane(history);
  if (first === null) return [];
  const at =
    history.scheduledAt && history.scheduledAt > history.createdAt ? history.scheduledAt : history.createdAt;
  return [
    {
      kind: 'routed',
      at: iso(at),
      why: routedWhy(told, lanes.get(first)),
      lane: nameOf(told, first),
    },
  ];
};

/** Every time it was deferred, and every time it changed lanes, in the order of time. */
const detours = (told: Told): MessageStep[] => {
  const { history, language } = told;
  const deferred = (history.tries ?? []).map(
    ({ at, lane, code, reason }): Step<'put-off'> => ({
      kind: 'put-off',
      at: isoOf(at),
      reason: outcomeReason({ errorCode: code, reason }, language),
      errorCode: code,
      lane: nameOf(told, lane),
    }),
  );
  const diverted = (history.route ?? []).map(
    ({ at, from, to, why, code }): Step<'diverted'> => ({
      kind: 'diverted',
      at: isoOf(at),
      why,
      reason: outcomeReason({ errorCode: code, reason: '' }, language),
      errorCode: code,
      lane: nameOf(told, from),
      toLane: nameOf(told, to),
    }),
  );
  // An attempt comes before the change of lanes that follows from it: the database's clock may be a little behind ours.
  return [...deferred, ...diverted].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
};

const HAS_ARRIVED = ['delivered', 'taken'];

/** Which of its parts arrived, and which kept it from being a success. */
const partsOf = ({ parts }: MessageHistory): Step<'failed'>['parts'] => {
  if (!parts) return null;
  const numbers = (isSo: (state: string) => boolean): number[] =>
    parts.flatMap(({ state }, index) => (isSo(state) ? [index + 1] : []));
  return {
    total: parts.length,
    delivered: numbers((state) => state === 'delivered'),
    missing: numbers((state) => !HAS_ARRIVED.includes(state)),
  };
};

/** A receipt may also fail what was in doubt, and has no time at which it was sent. */
const failedWhy = ({ status, sentAt, reason }: MessageHistory): Step<'failed'>['why'] => {
  if (status === 'FAILED_WITH_EXCEPTION') return 'UNKNOWN';
  return sentAt || reason === RECEIPT_REASON ? 'RECEIPT' : 'REFUSED';
};

const CANCELLED: Record<string, Step<'cancelled'>['why']> = {
  E_TOO_LATE: 'TOO_LATE',
  E_OPTED_OUT: 'OPTED_OUT',
  E_DEVICE_DELETED: 'DEVICE_DELETED',
};

/** What admins decided and what it moved, in the order of time. */
const decided = ({ moves, resolutions, emails, admin }: Told): MessageStep[] =>
  [
    ...resolutions.map(({ at, was, became, by }) => ({
      kind: 'resolved' as const,
      at: iso(at),
      was,
      became,
      by: admin ? (emails.get(by) ?? by) : null,
    })),
    ...moves.map(({ kind, at, amountMicros, entryId }) => ({
      kind: kind === 'REFUND' ? ('refunded' as const) : ('charged-again' as const),
      at: iso(at),
      amount: numberFromMicros(amountMicros),
      entryId,
    })),
  ].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));

const ending = (told: Told): MessageStep[] => {
  const { history, language } = told;
  const { status, sentAt, deliveredAt, readAt, unknownSince, updatedAt, errorCode } = history;
  const lane = nameOf(told, history.laneId);
  return [
    ...(sentAt ? [{ kind: 'sent' as const, at: iso(sentAt), tries: history.attempts, lane }] : []),
    ...(unknownSince
      ? [{ kind: 'unknown' as const, at: iso(unknownSince), lane, parts: partsOf(history) }]
      : []),
    ...(deliveredAt ? [{ kind: 'delivered' as const, at: iso(deliveredAt) }] : []),
    ...(readAt ? [{ kind: 'read' as const, at: iso(readAt) }] : []),
    ...(status === 'FAILED' || status === 'FAILED_WITH_EXCEPTION'
      ? [
          {
            kind: 'failed' as const,
            at: iso(updatedAt),
            why: failedWhy(history),
            reason: outcomeReason(history, language),
            errorCode,
            parts: partsOf(history),
          },
        ]
      : []),
    ...(status === 'CANCELLED'
      ? [{ kind: 'cancelled' as const, at: iso(updatedAt), why: CANCELLED[errorCode] ?? 'CANCELLED' }]
      : []),
    ...decided(told),
  ];
};

/**
 * Its history in the logical order: the carrier's clock, which gives the time of delivery, need not agree with ours.
 */
export const stepsOf = (told: Told): MessageStep[] => {
  if (told.history.type === 'incoming') return [{ kind: 'received', at: iso(told.history.createdAt) }];
  return [...acceptance(told), ...schedule(told), ...routing(told), ...detours(told), ...ending(told)];
};
