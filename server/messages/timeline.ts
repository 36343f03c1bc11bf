import type { Language } from '../../contract/constants.ts';
import type { MessageStep } from '../../contract/message-details.ts';
import { numberFromMicros } from '../../contract/money.ts';
import type { EntryId } from '../../contract/wallet.ts';
import type { ItemRefund } from '../wallet/index.ts';
import type { MessageHistory, PassedLane } from './timeline-store.ts';
import { reasonOf } from './view-outcome.ts';

interface Told {
  life: MessageHistory;
  lanes: Map<number, PassedLane>;
  refund: ItemRefund | undefined;
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

const acceptance = ({ life, lanes }: Told): MessageStep[] => {
  const at = iso(life.createdAt);
  const segments = Math.max(life.segment, 1);
  const lane = lanes.get(firstLane(life) ?? -1);
  const way = life.kind === 'CSV' ? 'CSV' : life.byPage ? 'PAGE' : 'API';
  return [
    { kind: 'accepted', at, way, batchId: life.batchId, messages: life.together ?? 1 },
    {
      kind: 'priced',
      at,
      segments,
      unitPrice: numberFromMicros(life.priceMicros / BigInt(segments)),
      price: numberFromMicros(life.priceMicros),
      country: life.country,
      carrierName: lane?.carrier ?? '',
      entryId:
        life.captureId === null || life.priceMicros === 0n ? null : (String(life.captureId) as EntryId),
    },
  ];
};

const schedule = ({ life: { createdAt, scheduledAt, expiresAt } }: Told): Step<'scheduled'>[] =>
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

/** Only what the test secret sends costs nothing. */
const routedWhy = (
  { priceMicros, content }: MessageHistory,
  lane: PassedLane | undefined,
): Step<'routed'>['why'] => {
  if (lane?.simulated) return priceMicros === 0n ? 'TEST' : 'NO_REAL_LANE';
  return content?.sessionSince === undefined ? 'PREFERRED' : 'CONVERSATION';
};

const routing = (told: Told): Step<'routed'>[] => {
  const { life, lanes } = told;
  const first = firstLane(life);
  if (first === null) return [];
  const at = life.scheduledAt && life.scheduledAt > life.createdAt ? life.scheduledAt : life.createdAt;
  return [
    {
      kind: 'routed',
      at: iso(at),
      why: routedWhy(life, lanes.get(first)),
      lane: nameOf(told, first),
    },
  ];
};

/** Every time it was deferred, and every time it changed lanes, in the order of time. */
const detours = (told: Told): MessageStep[] => {
  const { life, language } = told;
  const putOff = (life.tries ?? []).map(
    ({ at, lane, code, reason }): Step<'put-off'> => ({
      kind: 'put-off',
      at: isoOf(at),
      reason: reasonOf({ errorCode: code, reason }, language),
      errorCode: code,
      lane: nameOf(told, lane),
    }),
  );
  const diverted = (life.route ?? []).map(
    ({ at, from, to, why, code }): Step<'diverted'> => ({
      kind: 'diverted',
      at: isoOf(at),
      why,
      reason: reasonOf({ errorCode: code, reason: '' }, language),
      errorCode: code,
      lane: nameOf(told, from),
      toLane: nameOf(told, to),
    }),
  );
  // An attempt comes before the change of lanes that follows from it: the database's clock may be a little behind ours.
  return [...putOff, ...diverted].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
};

const failedWhy = ({ status, sentAt }: MessageHistory): Step<'failed'>['why'] => {
  if (status === 'FAILED_WITH_EXCEPTION') return 'UNKNOWN';
  return sentAt ? 'RECEIPT' : 'REFUSED';
};

const CANCELLED: Record<string, Step<'cancelled'>['why']> = {
  E_TOO_LATE: 'TOO_LATE',
  E_OPTED_OUT: 'OPTED_OUT',
};

const ending = (told: Told): MessageStep[] => {
  const { life, refund, language } = told;
  const { status, sentAt, deliveredAt, readAt, unknownSince, updatedAt, errorCode } = life;
  const lane = nameOf(told, life.laneId);
  return [
    ...(sentAt ? [{ kind: 'sent' as const, at: iso(sentAt), tries: life.attempts, lane }] : []),
    ...(unknownSince ? [{ kind: 'unknown' as const, at: iso(unknownSince), lane }] : []),
    ...(deliveredAt ? [{ kind: 'delivered' as const, at: iso(deliveredAt) }] : []),
    ...(readAt ? [{ kind: 'read' as const, at: iso(readAt) }] : []),
    ...(status === 'FAILED' || status === 'FAILED_WITH_EXCEPTION'
      ? [
          {
            kind: 'failed' as const,
            at: iso(updatedAt),
            why: failedWhy(life),
            reason: reasonOf(life, language),
            errorCode,
          },
        ]
      : []),
    ...(status === 'CANCELLED'
      ? [{ kind: 'cancelled' as const, at: iso(updatedAt), why: CANCELLED[errorCode] ?? 'CANCELLED' }]
      : []),
    ...(refund
      ? [
          {
            kind: 'refunded' as const,
            at: iso(refund.at),
            amount: numberFromMicros(refund.amountMicros),
            entryId: refund.entryId,
          },
        ]
      : []),
  ];
};

/**
 * Its history in the logical order: the carrier's clock, which gives the time of delivery, need not agree with ours.
 */
export const stepsOf = (told: Told): MessageStep[] => {
  if (told.life.type === 'incoming') return [{ kind: 'received', at: iso(told.life.createdAt) }];
  return [...acceptance(told), ...schedule(told), ...routing(told), ...detours(told), ...ending(told)];
};
