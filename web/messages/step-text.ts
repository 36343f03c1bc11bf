import { formatCount, formatExactAmount, regionName } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import type { Tone } from '../ui/tag.tsx';
import { formatMoment } from './days.ts';
import type { Timeline, TimelineStep } from './details-query.ts';

type Step<K extends TimelineStep['kind']> = TimelineStep & { kind: K };
type Words = { [K in TimelineStep['kind']]: (step: Step<K>) => (string | null)[] };

const acceptedWords = ({ way, messages }: Step<'accepted'>) => [
  t(`details.way.${way}`),
  messages > 1 ? t('details.together', { count: formatCount(messages) }) : null,
];

const pricedWords = ({ segments, unitPrice, price, country, carrierName, entryId }: Step<'priced'>) => [
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

/** The carrier's own word for it stands behind. */
const reasonWords = (reason: string, code: string): string =>
  reason && code ? `${reason} (${code})` : reason || code;

const divertedWords = ({ why, reason, errorCode, lane, toLane }: Step<'diverted'>) => [
  t(`details.diverted.${why}`),
  reasonWords(reason, errorCode),
  lane && toLane && t('details.lane_change', { from: lane, to: toLane }),
];

const WORDS: Words = {
  accepted: acceptedWords,
  received: () => [],
  priced: pricedWords,
  scheduled: ({ sendAt, until }) => [
    t('details.send_at', { time: formatMoment(sendAt) }),
    until && t('details.send_until', { time: formatMoment(until) }),
  ],
  routed: ({ why, lane }) => [t(`details.routed.${why}`), lane],
  'put-off': ({ reason, errorCode, lane }) => [reasonWords(reason, errorCode), lane],
  diverted: divertedWords,
  unknown: ({ lane }) => [t('details.unknown_hint'), lane],
  sent: ({ tries, lane }) => [tries > 1 ? t('details.tries', { count: tries }) : null, lane],
  delivered: () => [],
  read: () => [],
  failed: ({ reason, errorCode }) => [reasonWords(reason, errorCode)],
  cancelled: ({ why }) => [t(`details.cancelled.${why}`)],
  refunded: ({ amount, entryId }) => [
    t('details.amount', { amount: formatExactAmount(amount) }),
    t('details.entry', { entry: entryId }),
  ],
};

/** What else there is to say of a step: parts that are apart from each other. */
export const wordsOf = (step: TimelineStep): string[] =>
  (WORDS[step.kind] as (given: TimelineStep) => (string | null)[])(step).filter((part) => !!part) as string[];

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

export const waitingWords = ({ why, until }: NonNullable<Timeline['waiting']>): string =>
  t(`details.waiting.${why}`, { time: until === null ? '' : formatMoment(until) });
