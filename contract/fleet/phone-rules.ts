/** Rules about phones that both sides need. This file must not import anything. */

/** A sign of life that is older says nothing any more. */
export const HEARTBEAT_FRESH_SECONDS = 180;
/** With so many days left or fewer, the SIM's validity is warned of. */
export const VALIDITY_WARNING_DAYS = 2;
/** Below this much, the SIM has to be topped up. */
export const TOP_UP_BELOW = 10;
/** The parts of the bar that shows how much of the ideal volume was used. */
export const USAGE_SEGMENTS = 5;

/** Where a SIM or a WhatsApp number is in its phone. */
export const PHONE_SLOTS = ['WA 01', 'WA 02', 'WA 01b', 'WA 02b', 'SIM 01', 'SIM 02', 'SIM 03'] as const;
export type PhoneSlot = (typeof PHONE_SLOTS)[number];

/** The ways out of a phone: WhatsApp, SMS by its modem, SMS by its web app. */
export const PHONE_CHANNELS = ['whatsapp', 'sms', 'smsWeb'] as const;
export type PhoneChannel = (typeof PHONE_CHANNELS)[number];

/** As they are edited: a flag by its name. */
export const PHONE_FLAGS = [
  'whatsappActive',
  'whatsappSuspended',
  'smsActive',
  'smsSuspended',
  'smsWebActive',
  'smsWebSuspended',
] as const;
export type PhoneFlag = (typeof PHONE_FLAGS)[number];

export const PHONE_THROTTLES = ['countTenMinute', 'countOneHour', 'countEightHour', 'countOneDay'] as const;
export type PhoneThrottle = (typeof PHONE_THROTTLES)[number];

/** What an operator may edit as a text: how it is read, and its bound where it has one of its own. */
export const PHONE_TEXT_RULES = {
  name: { kind: 'name' },
  phoneNumber: { kind: 'number' },
  IMSI: { kind: 'text' },
  remark: { kind: 'text' },
  startedAt: { kind: 'moment' },
  validityDays: { kind: 'days', most: 36_500 },
  simHost: { kind: 'host' },
  whatsappHost: { kind: 'host' },
  whatsappHostPort: { kind: 'port' },
  whatsappWebHost: { kind: 'host' },
  port: { kind: 'port' },
  estimatedBalance: { kind: 'amount' },
  setting: { kind: 'setting' },
  transferJobRate: { kind: 'rate', most: 1_000 },
  carrierAliases: { kind: 'list', most: 50 },
  slot: { kind: 'slot' },
} as const;
export type PhoneText = keyof typeof PHONE_TEXT_RULES;
export type PhoneTextKind = (typeof PHONE_TEXT_RULES)[PhoneText]['kind'];
/** Characters of any of them. */
export const PHONE_TEXT_MOST = 500;
export const PHONE_TEXTS = Object.keys(PHONE_TEXT_RULES) as PhoneText[];

/** They say where the phone is. */
export const PHONE_HOSTS = PHONE_TEXTS.filter((field) => /^(host|port)$/.test(PHONE_TEXT_RULES[field].kind));

export type PhoneField = PhoneText | PhoneFlag | PhoneThrottle;

/** How a flag is typed; anything else is false. */
export const readFlag = (typed: string): boolean => /^(true|t|yes|y)$/i.test(typed.trim());

/** How a throttle is typed: an integer; anything else is no limit. */
export const readThrottle = (typed: string): number | null => {
  const count = Number.parseInt(typed, 10);
  return Number.isNaN(count) ? null : count;
};

/** A phone that was given back sends nothing. */
export const isReleased = (remark: string): boolean => remark.includes('RELEASED');
/** It is about to be given back: where it is stays as it is. */
export const isSoftRelease = (remark: string): boolean => remark.includes('#soft_release');

export const PHONE_HEALTHS = ['UP', 'DOWN', 'unknown'] as const;
export type PhoneHealth = (typeof PHONE_HEALTHS)[number];

/** UP: in use and heard of lately. Unknown: the phone does not have that way out, or was given back. */
export const phoneHealth = (way: {
  active: boolean;
  suspended: boolean;
  released: boolean;
  /** Null: never. */
  secondsSinceHeartbeat: number | null;
}): PhoneHealth => {
  if (!way.active || way.released) return 'unknown';
  const fresh = way.secondsSinceHeartbeat !== null && way.secondsSinceHeartbeat < HEARTBEAT_FRESH_SECONDS;
  return fresh && !way.suspended ? 'UP' : 'DOWN';
};

/** DOWN if any of its ways out is. */
export const phoneState = (health: Record<PhoneChannel, PhoneHealth>): PhoneHealth => {
  const ways = Object.values(health);
  return ways.includes('DOWN') ? 'DOWN' : ways.includes('UP') ? 'UP' : 'unknown';
};

export const PHONE_NOTICES = ['DOWN', 'VALIDITY', 'TOPUP'] as const;
/** What is wrong with a phone. */
export type PhoneNoticeKind = (typeof PHONE_NOTICES)[number];

/** What an operator has to look after; nothing of a phone that was given back. */
export const phoneNotices = (phone: {
  remark: string;
  health: Record<PhoneChannel, PhoneHealth>;
  validityDays: number | null;
  estimatedBalance: number | null;
}): PhoneNoticeKind[] => {
  const { remark, health, validityDays, estimatedBalance } = phone;
  if (isReleased(remark)) return [];
  const kinds: PhoneNoticeKind[] = [];
  if (phoneState(health) === 'DOWN') kinds.push('DOWN');
  if (validityDays !== null && validityDays <= VALIDITY_WARNING_DAYS) kinds.push('VALIDITY');
  if (estimatedBalance !== null && estimatedBalance < TOP_UP_BELOW) kinds.push('TOPUP');
  return kinds;
};

/** How much of each part of the bar is filled, from 0 to 1; nothing without an ideal volume. */
export const usageSegments = (used: number, idealVolume: number): number[] =>
  Array.from({ length: USAGE_SEGMENTS }, (_, n) =>
    idealVolume > 0 ? Math.min(1, Math.max(0, (used / idealVolume) * USAGE_SEGMENTS - n)) : 0,
  );

/** A name, an IPv4 address, or an IPv6 address in brackets. */
export const isHost = (host: string): boolean =>
  host.length <= 253 && (/^\w([\w.-]*\w)?$/.test(host) || /^\[[\da-f:.]{2,45}\]$/i.test(host));
export const isPort = (port: string): boolean => /^[1-9]\d{0,4}$/.test(port) && Number(port) <= 65_535;

/** Where a host is opened. Only what is a host: a remark in the field leads nowhere. */
export const hostAddress = (host: string, port: string): string | undefined =>
  isHost(host) ? `http://${host}${isPort(port) ? `:${port}` : ''}/` : undefined;
