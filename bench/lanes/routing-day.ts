import type { AccountId } from '../../contract/customer/accounts.ts';
import {
  type LaneInUse,
  type LastLane,
  openThrottle,
  THROTTLE_MINUTES,
  THROTTLE_WINDOWS,
  type Throttle,
  type ThrottleLimits,
  throttleLimits,
} from '../../server/traffic/lanes/index.ts';
import { type Chooser, laneFacts, openChooser } from '../../server/traffic/routing/index.ts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
const START_MS = Date.UTC(2026, 10, 15, 16);
/** Each person gets about as many messages in the day. */
const EACH = 5;
const SLACK = 1.05;

/** The same numbers each time. */
const openDice = (seed: number) => () => {
  seed = (seed * 1_664_525 + 1_013_904_223) % 4_294_967_296;
  return seed / 4_294_967_296;
};

interface Sim {
  lane: LaneInUse;
  throttle: Throttle;
  waiting: string[];
  sentAt: number[];
}

const laneOf = (id: number, idealVolume: number): LaneInUse => ({
  id,
  name: `phone-${id}.sim-modem`,
  channel: 'sms',
  provider: 'bench',
  sender: '',
  carrier: '',
  simulated: false,
  mode: 'on',
  preference: 100,
  route: 'sms',
  policy: 'cheapest',
  up: true,
  rejectingSince: null,
  sessionHours: null,
  countries: [],
  dedicatedTo: [],
  throttleTenMinutes: Math.ceil(idealVolume / 30),
  throttleOneHour: Math.ceil(idealVolume / 8),
  throttleEightHours: Math.ceil(idealVolume * 0.8),
  throttleOneDay: Math.ceil(idealVolume * 1.2),
  costMicros: 0n,
  countryCosts: {},
  device: null,
  phone: {
    id: String(id),
    name: `phone-${id}`,
    idealVolume,
    transferJobRate: 1,
    startedMs: START_MS - 100 * DAY_MINUTES * MINUTE_MS,
    sharedFrom: null,
    sharedTo: null,
    mostRecipients: null,
    aliases: [],
  },
});

/** SIMs of three sizes that together suit the day's messages. */
const fleetOf = (phones: number, messages: number): Sim[] => {
  const parts = Array.from({ length: phones }, (_, at) => 1 + (at % 3));
  const all = parts.reduce((sum, part) => sum + part, 0);
  return parts.map((part, at) => {
    const lane = laneOf(at + 1, Math.round((messages * part) / all));
    return { lane, throttle: openThrottle({ limits: throttleLimits(lane) }), waiting: [], sentAt: [] };
  });
};

/** Few at night, most around noon and in the evening. */
const demandOf = (minute: number): number => 1 + 0.7 * Math.sin((2 * Math.PI * (minute - 420)) / DAY_MINUTES);

/** How often a phone sent more than it may in any window, counted again by the exact times. */
const exceeded = (sentAt: number[], limits: ThrottleLimits): number =>
  THROTTLE_WINDOWS.reduce((faults, window) => {
    const limit = limits[window];
    if (limit === null) return faults;
    const lengthMs = THROTTLE_MINUTES[window] * MINUTE_MS;
    let first = 0;
    let more = 0;
    for (const [at, ms] of sentAt.entries()) {
      while ((sentAt[first] ?? 0) <= ms - lengthMs) first += 1;
      if (at - first + 1 > limit) more += 1;
    }
    return faults + more;
  }, 0);

export interface Day {
  sent: number;
  waiting: number;
  exceeded: number;
  /** How far the worst phone is from its ideal volume, as a part of it. */
  idealError: number;
  /** Of messages to people whose phone had room for them. */
  stickyShare: number;
  /** Of all messages to people who had been written to. */
  stickyOfKnown: number;
  microsecondsEach: number;
}

/** A day of messages over a fleet, minute by minute; time is an argument of all that is measured. */
export const simulateDay = ({ phones, messages }: { phones: number; messages: number }): Day => {
  const dice = openDice(17);
  const fleet = fleetOf(phones, messages);
  const byId = new Map(fleet.map((sim) => [sim.lane.id, sim]));
  const last = new Map<string, LastLane>();
  const people = Math.ceil(messages / EACH);
  const demand = Array.from({ length: DAY_MINUTES }, (_, minute) => demandOf(minute));
  const all = demand.reduce((sum, one) => sum + one, 0);
  const counts = { possible: 0, keptWithRoom: 0, kept: 0, known: 0, chosen: 0 };
  let before: Chooser | undefined;
  let due = 0;
  let tookMs = 0;
  for (const [minute, part] of demand.entries()) {
    const nowMs = START_MS + minute * MINUTE_MS;
    due += (messages * part) / all;
    const begun = performance.now();
    const loads = new Map(
      fleet.map(({ lane, throttle, waiting }) => [
        lane.id,
        { sent: throttle.sent(nowMs), waiting: waiting.length },
      ]),
    );
    const chooser = openChooser(
      laneFacts(
        fleet.map(({ lane }) => lane),
        loads,
      ),
      { nowMs, before },
    );
    tookMs += performance.now() - begun;
    before = chooser;
    for (; due >= 1 && counts.chosen < messages; due -= 1) {
      const recipient = `+852${60_000_000 + Math.floor(dice() * people)}`;
      const known = last.get(recipient);
      const own = known && byId.get(known.laneId);
      const room = own
        ? own.throttle.room(nowMs) - own.waiting.length > 0 &&
          own.sentAt.length + own.waiting.length < (own.lane.phone?.idealVolume ?? 0) * SLACK
        : false;
      const asked = performance.now();
      const { lane } = chooser.choose({
        accountId: 'bench' as AccountId,
        channel: 'sms',
        country: 'HK',
        test: false,
        last: known,
      });
      tookMs += performance.now() - asked;
      counts.chosen += 1;
      if (known) counts.known += 1;
      const isKept = lane.id === known?.laneId;
      if (isKept) counts.kept += 1;
      if (room) counts.possible += 1;
      if (room && isKept) counts.keptWithRoom += 1;
      byId.get(lane.id)?.waiting.push(recipient);
    }
    for (const { lane, throttle, waiting, sentAt } of fleet) {
      const taken = waiting.splice(0, throttle.room(nowMs));
      throttle.note(nowMs, taken.length);
      for (const recipient of taken) {
        sentAt.push(nowMs);
        last.set(recipient, { laneId: lane.id, today: true });
      }
    }
  }
  const errors = fleet.map(({ lane, sentAt, waiting }) => {
    const ideal = lane.phone?.idealVolume ?? 1;
    return Math.abs(sentAt.length + waiting.length - ideal) / ideal;
  });
  return {
    sent: fleet.reduce((sum, { sentAt }) => sum + sentAt.length, 0),
    waiting: fleet.reduce((sum, { waiting }) => sum + waiting.length, 0),
    exceeded: fleet.reduce((sum, { lane, sentAt }) => sum + exceeded(sentAt, throttleLimits(lane)), 0),
    idealError: Math.max(...errors),
    stickyShare: counts.keptWithRoom / Math.max(1, counts.possible),
    stickyOfKnown: counts.kept / Math.max(1, counts.known),
    microsecondsEach: (tookMs * 1_000) / messages,
  };
};
