import type { Phrase } from '../../ground/translations/index.ts';
import { THROTTLE_WINDOWS, type ThrottleWindow } from '../lanes/index.ts';
import type { LaneFacts, RoutedMessage } from './lane-facts.ts';

/** A lane that refuses everything gets one message in this time, as a test. */
export const PROBE_EVERY_MS = 10_000;

/** What a chooser has done with a lane. */
export interface LaneTally {
  /** Since the facts were read. */
  chosen: number;
  /** How many more it can send now. */
  left: number;
  /** The last test of a lane that refuses everything. */
  probedMs: number;
  /** The credit in the round robin among equal lanes; the highest is next. */
  credit: number;
  /** How many more it takes until it has had its ideal volume; Infinity without one. */
  volumeLeft: number;
  /** How many more people it may write to in 24 hours. */
  recipientsLeft: number;
}

/** What the rules know besides the lane and the message. */
export interface Surroundings {
  nowMs: number;
  /** Of the day, where the phones are. */
  hour: number;
  /** Routes of the account's own lanes for this channel and country; undefined if it has none. */
  ownRoutes: ReadonlySet<string> | undefined;
  /** The numbers of phones. */
  phoneSenders: ReadonlySet<string>;
  tallyOf: (lane: LaneFacts) => LaneTally;
}

const THROTTLE_CODES = {
  tenMinutes: 'THROTTLE_TEN_MINUTES',
  oneHour: 'THROTTLE_ONE_HOUR',
  eightHours: 'THROTTLE_EIGHT_HOURS',
  oneDay: 'THROTTLE_ONE_DAY',
} as const;

export type RuleCode =
  | 'CHANNEL'
  | 'DEVICE'
  | 'SIMULATOR'
  | 'MODE'
  | 'COUNTRY'
  | 'SENDER'
  | 'DEDICATED'
  | 'OWN_LANES'
  | 'CLOSED'
  | 'SHARED_HOURS'
  | 'TRIED'
  | 'DOWN'
  | 'REJECTING'
  | 'RECIPIENTS'
  | (typeof THROTTLE_CODES)[ThrottleWindow];

export interface RoutingRule {
  code: RuleCode;
  passes: (lane: LaneFacts, message: RoutedMessage, around: Surroundings) => boolean;
  /** Why a lane does not pass, for admins. */
  sentence: (lane: LaneFacts, message: RoutedMessage, around: Surroundings) => Phrase;
}

const isOwn = (lane: LaneFacts, { accountId }: RoutedMessage): boolean =>
  lane.dedicatedTo.includes(accountId);

/** Whether the lane can be offered at all, wherever to. */
export const OFFER_RULES: RoutingRule[] = [
  {
    code: 'CHANNEL',
    passes: (lane, { channel }) => lane.channel === channel,
    sentence: (lane) => ({ label: `routing.channel.${lane.channel}` }),
  },
  {
    // Whose number it is matters to the customer: no other takes over, and it takes nothing over.
    code: 'DEVICE',
    passes: (lane, { device = null }) => lane.device === device,
    sentence: (_, { device }) =>
      device ? { label: 'routing.device.named', values: { device } } : { label: 'routing.device.unnamed' },
  },
  {
    // A simulator never stands in for a real lane, nor the reverse: what was paid for as one stays so.
    code: 'SIMULATOR',
    passes: (lane, { test }) => lane.simulated === test,
    sentence: ({ simulated }) => ({
      label: simulated ? 'routing.simulator.lane' : 'routing.simulator.message',
    }),
  },
  {
    code: 'MODE',
    passes: ({ mode }) => mode === 'on',
    // It is said of lanes that do not pass.
    sentence: ({ mode }) => ({ label: `routing.mode.${mode as Exclude<typeof mode, 'on'>}` }),
  },
];

const isServed = (lane: LaneFacts, { country }: RoutedMessage): boolean =>
  lane.countries.length === 0 || lane.countries.includes(country);

/** Whether the recipient counts among the people that the phone has written to in 24 hours. */
export const isKnownRecipient = ({ id }: LaneFacts, { last }: RoutedMessage): boolean =>
  last !== undefined && last.laneId === id && last.today;

/** From one hour to another, over midnight too. */
const isShared = ({ phone }: LaneFacts, hour: number): boolean => {
  const { sharedFrom: from = null, sharedTo: to = null } = phone ?? {};
  if (from === null || to === null || from === to) return true;
  return from < to ? hour >= from && hour < to : hour >= from || hour < to;
};

/** Whether the lane may ever have the message. */
export const LASTING_RULES: RoutingRule[] = [
  ...OFFER_RULES,
  {
    code: 'COUNTRY',
    passes: isServed,
    sentence: (lane, { country }) => ({
      label: country ? 'routing.country.other' : 'routing.country.none',
      values: { countries: lane.countries.join(', '), country },
    }),
  },
  {
    // A SIM sends from its own number, and from no other; nobody else sends from it.
    code: 'SENDER',
    passes: ({ phone, sender }, { from }, { phoneSenders }) =>
      !from || (phone ? sender === from : !phoneSenders.has(from)),
    sentence: ({ phone }, { from }) => ({
      label: phone ? 'routing.sender.other' : 'routing.sender.phone',
      values: { from: from ?? '' },
    }),
  },
  {
    code: 'DEDICATED',
    passes: (lane, message) => lane.dedicatedTo.length === 0 || isOwn(lane, message),
    sentence: () => ({ label: 'routing.dedicated' }),
  },
  {
    code: 'OWN_LANES',
    passes: (lane, message, { ownRoutes }) =>
      ownRoutes === undefined || isOwn(lane, message) || (lane.route !== '' && ownRoutes.has(lane.route)),
    sentence: () => ({ label: 'routing.own_lanes' }),
  },
  {
    code: 'CLOSED',
    passes: ({ limits }) => THROTTLE_WINDOWS.every((window) => limits[window] !== 0),
    sentence: () => ({ label: 'routing.closed' }),
  },
  {
    code: 'SHARED_HOURS',
    passes: (lane, message, { hour }) => isOwn(lane, message) || isShared(lane, hour),
    sentence: ({ phone }) => ({
      label: 'routing.shared_hours',
      values: { from: phone?.sharedFrom ?? '', to: phone?.sharedTo ?? '' },
    }),
  },
  {
    code: 'TRIED',
    passes: ({ id }, { tried }) => !tried?.includes(id),
    sentence: () => ({ label: 'routing.tried' }),
  },
];

/** Routes of the account's lanes that could serve the message, even if they are paused just now. */
export const routesOfOwn = (facts: LaneFacts[], message: RoutedMessage): ReadonlySet<string> | undefined => {
  const own = facts.filter(
    (lane) =>
      isOwn(lane, message) &&
      lane.device === null &&
      lane.channel === message.channel &&
      lane.simulated === message.test &&
      lane.mode !== 'removed' &&
      isServed(lane, message),
  );
  return own.length === 0 ? undefined : new Set(own.map(({ route }) => route));
};

const isProbeDue = ({ rejectingSince }: LaneFacts, nowMs: number, probedMs: number): boolean =>
  nowMs - Math.max(rejectingSince?.getTime() ?? 0, probedMs) >= PROBE_EVERY_MS;

const isFull = (lane: LaneFacts, window: ThrottleWindow, { tallyOf }: Surroundings): boolean => {
  const limit = lane.limits[window];
  return limit !== null && lane.sent[window] + lane.waiting + tallyOf(lane).chosen >= limit;
};

const throttleRule = (window: ThrottleWindow): RoutingRule => ({
  code: THROTTLE_CODES[window],
  passes: (lane, _, around) => !isFull(lane, window, around),
  sentence: ({ limits }) => ({
    label: `routing.throttle.${window}`,
    values: { limit: limits[window] ?? '' },
  }),
});

/**
 * Whether the lane can send the message now; if every lane that may have it can't, it waits in the best of them. The
 * worst first.
 */
export const PASSING_RULES: RoutingRule[] = [
  { code: 'DOWN', passes: ({ up }) => up !== false, sentence: () => ({ label: 'routing.down' }) },
  {
    code: 'REJECTING',
    passes: (lane, _, { nowMs, tallyOf }) =>
      lane.rejectingSince === null || isProbeDue(lane, nowMs, tallyOf(lane).probedMs),
    sentence: ({ rejectingSince }) => ({
      label: 'routing.rejecting',
      values: { since: rejectingSince?.toISOString() ?? '', seconds: PROBE_EVERY_MS / 1_000 },
    }),
  },
  ...THROTTLE_WINDOWS.map(throttleRule),
  {
    code: 'RECIPIENTS',
    passes: (lane, message, { tallyOf }) =>
      tallyOf(lane).recipientsLeft > 0 || isKnownRecipient(lane, message),
    sentence: ({ phone }) => ({
      label: 'routing.recipients',
      values: { most: phone?.mostRecipients ?? '' },
    }),
  },
];

/** What a phone has left of its ideal volume and of the people that it may write to. */
export const phoneRoomOf = ({ phone, sent, waiting, recipients }: LaneFacts) => ({
  volumeLeft: phone?.idealVolume ? phone.idealVolume - sent.oneDay - waiting : Number.POSITIVE_INFINITY,
  recipientsLeft: phone?.mostRecipients ? phone.mostRecipients - recipients : Number.POSITIVE_INFINITY,
});

/** How many messages a lane can be given until one of these rules stops it. */
export const roomOf = (lane: LaneFacts, { nowMs, probedMs }: { nowMs: number; probedMs: number }): number => {
  if (lane.up === false) return 0;
  const unthrottled =
    lane.rejectingSince === null ? Number.POSITIVE_INFINITY : isProbeDue(lane, nowMs, probedMs) ? 1 : 0;
  return THROTTLE_WINDOWS.reduce((room, window) => {
    const limit = lane.limits[window];
    return limit === null ? room : Math.min(room, Math.max(0, limit - lane.sent[window] - lane.waiting));
  }, unthrottled);
};
