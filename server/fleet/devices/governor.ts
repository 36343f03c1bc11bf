import type { DeviceHold } from '../../../contract/fleet/devices.ts';
import { openLocalClock } from '../../ground/local-time/index.ts';

/** What is safe for a number that WhatsApp watches. */
export interface GovernorPolicy {
  /** Messages on its first, second … day; the last entry is for every later day. */
  sentByDay: readonly number[];
  /** Of these, to people whom it has not written to or heard from. */
  newByDay: readonly number[];
  /** Hours of its country in which it sends nothing, over midnight too; none if both are the same. */
  quietFrom: number;
  quietTo: number;
  /** Between two messages: at least, and at most. */
  pauseMs: readonly [least: number, most: number];
  /** After a warning that names no end. */
  warnedMs: number;
}

/** Grows by half a day, as numbers do whose owners just begin to use them. */
export const CAREFUL: GovernorPolicy = {
  sentByDay: [20, 30, 45, 70, 105, 160, 240, 360, 540, 800, 1_000],
  newByDay: [5, 8, 12, 18, 27, 40, 60, 90, 135, 200, 250],
  quietFrom: 22,
  quietTo: 8,
  pauseMs: [4_000, 20_000],
  warnedMs: 24 * 3_600_000,
};

/** All that the governor knows of a device. Time is an argument of what it is asked. */
export interface GovernorFacts {
  timeZone: string;
  /** When it was paired with its number. */
  pairedMs: number;
  /** Of `day`, YYYY-MM-DD where it is. */
  day: string;
  sent: number;
  newContacts: number;
  /** Its last message; null: none yet. */
  lastMs: number | null;
  /** From 0 to 1, another one for each message: how long the pause after it is. */
  draw: number;
  warnedUntilMs: number | null;
}

export interface Hold {
  /** PACE: a moment between two messages. */
  code: DeviceHold | 'PACE';
  untilMs: number;
}

const TIME_ZONES: Record<string, string> = {
  HK: 'Asia/Hong_Kong',
  CN: 'Asia/Shanghai',
  SG: 'Asia/Singapore',
  US: 'America/New_York',
  PH: 'Asia/Manila',
  KH: 'Asia/Phnom_Penh',
};
export const timeZoneOf = (country: string): string => TIME_ZONES[country] ?? 'UTC';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Formatters are cached for good: there are only a few hundred time zones. */
const clocks = new Map<string, (moment: number) => string>();
const localOf = (nowMs: number, timeZone: string): string => {
  const clock = clocks.get(timeZone) ?? openLocalClock(timeZone);
  clocks.set(timeZone, clock);
  return clock(nowMs);
};
export const dayOf = (nowMs: number, timeZone: string): string => localOf(nowMs, timeZone).slice(0, 10);
const hourOf = (nowMs: number, timeZone: string): number => Number(localOf(nowMs, timeZone).slice(11, 13));

/** From 1 on. */
const ageInDays = ({ pairedMs, timeZone }: GovernorFacts, nowMs: number): number =>
  Math.round((Date.parse(dayOf(nowMs, timeZone)) - Date.parse(dayOf(pairedMs, timeZone))) / DAY_MS) + 1;

const entryOf = (list: readonly number[], age: number): number =>
  list[Math.min(Math.max(age, 1), list.length) - 1] ?? 0;

export interface Budget {
  mostSent: number;
  mostNewContacts: number;
  /** Null once it is warm. */
  warmUpDay: number | null;
}

/** What it may do today. */
export const budgetOf = (policy: GovernorPolicy, facts: GovernorFacts, nowMs: number): Budget => {
  const age = ageInDays(facts, nowMs);
  return {
    mostSent: entryOf(policy.sentByDay, age),
    mostNewContacts: entryOf(policy.newByDay, age),
    warmUpDay: age < policy.sentByDay.length ? age : null,
  };
};

const isQuiet = ({ quietFrom: from, quietTo: to }: GovernorPolicy, hour: number): boolean =>
  from <= to ? hour >= from && hour < to : hour >= from || hour < to;

/** The next full hour that passes. Where it is, clocks differ from UTC by full hours. */
const nextHour = (nowMs: number, passes: (ms: number) => boolean): number => {
  let ms = (Math.floor(nowMs / HOUR_MS) + 1) * HOUR_MS;
  while (!passes(ms)) ms += HOUR_MS;
  return ms;
};

/** What it did today: nothing, if what is known is of an earlier day. */
export const todayOf = ({ day, sent, newContacts, timeZone }: GovernorFacts, nowMs: number) =>
  day === dayOf(nowMs, timeZone) ? { sent, newContacts } : { sent: 0, newContacts: 0 };

/**
 * Why a message has to wait, and until when; null: it may go now. The reason that lasts longest comes first, so that
 * who asks again at its end is not told the next one at once.
 */
export const judgeSend = (
  policy: GovernorPolicy,
  facts: GovernorFacts,
  { nowMs, isNew }: { nowMs: number; isNew: boolean },
): Hold | null => {
  const { timeZone, warnedUntilMs, lastMs, draw } = facts;
  const isAwake = (ms: number): boolean => !isQuiet(policy, hourOf(ms, timeZone));
  if (warnedUntilMs !== null && warnedUntilMs > nowMs) return { code: 'WARNED', untilMs: warnedUntilMs };
  const { mostSent, mostNewContacts, warmUpDay } = budgetOf(policy, facts, nowMs);
  const today = todayOf(facts, nowMs);
  const day = dayOf(nowMs, timeZone);
  const tomorrow = (): number => nextHour(nowMs, (ms) => dayOf(ms, timeZone) !== day && isAwake(ms));
  if (today.sent >= mostSent) return { code: warmUpDay === null ? 'DAY' : 'WARM_UP', untilMs: tomorrow() };
  if (isNew && today.newContacts >= mostNewContacts) return { code: 'NEW_CONTACTS', untilMs: tomorrow() };
  if (!isAwake(nowMs)) return { code: 'QUIET_HOURS', untilMs: nextHour(nowMs, isAwake) };
  const [least, most] = policy.pauseMs;
  const untilMs = lastMs === null ? nowMs : lastMs + least + draw * (most - least);
  return untilMs > nowMs ? { code: 'PACE', untilMs } : null;
};
