import { formatCount, formatExactAmount, regionName } from '../../../ground/i18n/format.ts';
import { t } from '../../../ground/i18n/translate.ts';
import { statusText } from '../../../ground/message-status/status-tag.tsx';
import type { Tone } from '../../../ground/ui/tag.tsx';
import { formatSecond } from '../search/days.ts';
import type { Timeline, TimelineStep } from './details-query.ts';

type Step<K extends TimelineStep['kind']> = TimelineStep & { kind: K };
type Texts = { [K in TimelineStep['kind']]: (step: Step<K>) => (string | null)[] };

const acceptedTexts = ({ way, messages }: Step<'accepted'>) => [
  t(`details.way.${way}`),
  messages > 1 ? t('details.together', { count: formatCount(messages) }) : null,
];

const pricedTexts = ({ segments, unitPrice, price, country, carrierName, entryId }: Step<'priced'>) => [
  price === 0
    ? t('details.free')
    : t('details.sum', {
        segments,
        unit: formatExactAmount(unitPrice),
        price: formatExactAmount(price),
      }),
  country && regionName(country),
  carrierName,
  entryId && t('details.entry', { entry: entryId }),
];

/** The reason, followed by the carrier's error code. */
const reasonText = (reason: string, code: string): string =>
  reason && code ? `${reason} (${code})` : reason || code;

const failoverTexts = ({ why, reason, errorCode, lane, toLane }: Step<'diverted'>) => [
  t(`details.diverted.${why}`),
  reasonText(reason, errorCode),
  lane && toLane && t('details.lane_change', { from: lane, to: toLane }),
];

const partsText = (
  label: 'details.parts_failed' | 'details.parts_unknown',
  parts: Step<'failed'>['parts'],
): string | null =>
  parts && parts.missing.length > 0
    ? t(label, {
        total: parts.total,
        missing: parts.missing.join(', '),
        delivered: parts.delivered.length,
      })
    : null;

const movedTexts = ({ amount, entryId }: Step<'refunded' | 'charged-again'>) => [
  t('details.amount', { amount: formatExactAmount(amount) }),
  t('details.entry', { entry: entryId }),
];

const TEXTS: Texts = {
  accepted: acceptedTexts,
  received: () => [],
  priced: pricedTexts,
  scheduled: ({ sendAt, until }) => [
    t('details.send_at', { time: formatSecond(sendAt) }),
    until && t('details.send_until', { time: formatSecond(until) }),
  ],
  routed: ({ why, lane }) => [t(`details.routed.${why}`), lane],
  'put-off': ({ reason, errorCode, lane }) => [reasonText(reason, errorCode), lane],
  diverted: failoverTexts,
  unknown: ({ lane, parts }) => [t('details.unknown_hint'), partsText('details.parts_unknown', parts), lane],
  sent: ({ tries, lane }) => [tries > 1 ? t('details.tries', { count: tries }) : null, lane],
  delivered: () => [],
  read: () => [],
  failed: ({ why, reason, errorCode, parts }) => [
    reasonText(reason, errorCode),
    partsText(why === 'UNKNOWN' ? 'details.parts_unknown' : 'details.parts_failed', parts),
  ],
  cancelled: ({ why }) => [t(`details.cancelled.${why}`)],
  resolved: ({ was, became, by }) => [
    t('details.resolved', { was: statusText(was, by !== null), became: statusText(became) }),
    by,
  ],
  refunded: movedTexts,
  'charged-again': movedTexts,
};

/** The details of a step, as separate texts. */
export const stepTexts = (step: TimelineStep): string[] =>
  (TEXTS[step.kind] as (given: TimelineStep) => (string | null)[])(step).filter((part) => !!part) as string[];

const TONES: Partial<Record<TimelineStep['kind'], Tone>> = {
  'put-off': 'wait',
  diverted: 'wait',
  unknown: 'wait',
  sent: 'good',
  delivered: 'good',
  read: 'good',
  received: 'good',
  failed: 'bad',
};

export const toneOf = (step: TimelineStep): Tone => TONES[step.kind] ?? 'plain';

export const waitingText = ({ why, until }: NonNullable<Timeline['waiting']>): string =>
  t(`details.waiting.${why}`, { time: until === null ? '' : formatSecond(until) });
