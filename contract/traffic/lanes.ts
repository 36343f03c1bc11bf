import { z } from 'zod';
import { defineCalls } from '../ground/call.ts';
import { CHANNELS } from '../ground/channels.ts';
import { ROUTE_POLICIES } from './lane-rules.ts';
import { messageId } from './messages.ts';

/** What the operator wants of a lane. 'draining': it sends what waits and gets nothing new. */
export const LANE_MODES = ['on', 'paused', 'draining', 'removed'] as const;
/** Who made it. */
export const LANE_SOURCES = ['settings', 'admin', 'device', 'phone'] as const;

/** How lanes of one route and preference share messages: the cheapest to buy first, or all in turn. */
export type RoutePolicy = (typeof ROUTE_POLICIES)[number];

const MOST_COUNTRIES = 250;
const MOST_ACCOUNTS = 1_000;

const limit = z.int().min(0).max(1_000_000_000).nullable();
/** At most this many messages in any such span of time; null: no limit. */
const throttle = z.strictObject({
  countTenMinute: limit,
  countOneHour: limit,
  countEightHour: limit,
  countOneDay: limit,
});
const cost = z
  .string()
  .regex(/^\d{1,6}(\.\d{1,6})?$/)
  .meta({ description: 'In US dollars, such as 0.0125.' });
const country = z.string().regex(/^[A-Z]{2}$/);
const settings = z
  .record(z.string().regex(/^[A-Z][A-Z0-9_]{1,63}$/), z.string().max(20_000))
  .meta({ description: "The provider's settings, by the names that they have in the environment." });

const facts = {
  carrierName: z.string().max(100),
  place: z.string().max(100).meta({ description: 'Only workers of this place serve it; empty: any.' }),
  preference: z.int().min(0).max(1_000_000).meta({ description: 'Lower is preferred.' }),
  route: z.string().max(100).meta({ description: 'Lanes of one route take over from each other.' }),
  countries: z.array(country).max(MOST_COUNTRIES).meta({ description: 'None: every country.' }),
  dedicatedTo: z.array(z.uuid()).max(MOST_ACCOUNTS).meta({ description: 'Accounts; none: all.' }),
  throttle,
  cost: cost.meta({ description: 'What the operator pays for a segment, a WhatsApp message or an email.' }),
  countryCosts: z.record(country, cost).meta({ description: 'Where it differs.' }),
};

const laneId = z.strictObject({ laneId: z.coerce.number().int().min(1).max(2_147_483_647) });

const lane = z.strictObject({
  id: z.int(),
  name: z.string(),
  channel: z.enum(CHANNELS),
  provider: z.string(),
  simulated: z.boolean(),
  source: z.enum(LANE_SOURCES),
  mode: z.enum(LANE_MODES),
  up: z.boolean().nullable().meta({ description: 'Null: not known yet.' }),
  stateReason: z.string(),
  stateAt: z.iso.datetime().nullable(),
  worker: z.string().nullable().meta({ description: 'The name of the worker that serves it.' }),
  waiting: z.int().meta({ description: 'Messages that wait in it; 10000 stands for more.' }),
  ...facts,
  settings: z
    .record(z.string(), z.string().nullable())
    .meta({ description: 'Of a lane that an admin made; null for what is secret.' }),
});
export type LaneView = z.infer<typeof lane>;

const change = z.strictObject({ ...facts, settings }).partial();
export type LaneChange = z.infer<typeof change>;

const newLane = change.extend({
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/),
  provider: z.string().max(50),
});
export type NewLane = z.infer<typeof newLane>;

export const laneCalls = defineCalls({
  'GET /admin/lanes': {
    summary: 'The ways out, each with its state (admin)',
    reply: z.strictObject({ lanes: z.array(lane), providers: z.array(z.string()) }),
  },
  'POST /admin/lanes': {
    summary: 'Make a way out (admin)',
    body: newLane,
    reply: z.strictObject({ laneId: z.int() }),
  },
  'PUT /admin/lanes/:laneId': {
    summary: 'Change a way out; settings that are not given stay (admin)',
    params: laneId,
    body: change,
    reply: z.strictObject({ status: z.literal('ok') }),
  },
  'POST /admin/lanes/:laneId/mode': {
    summary: 'Pause, drain or resume a way out (admin)',
    params: laneId,
    body: z.strictObject({ mode: z.enum(['on', 'paused', 'draining']) }),
    reply: z.strictObject({ status: z.literal('ok') }),
  },
  'POST /admin/lanes/:laneId/test': {
    summary: "Send a message by this way out, from the admin's own account (admin)",
    params: laneId,
    body: z.strictObject({ phone: z.string().min(1).max(320), message: z.string().min(1).max(1_000) }),
    reply: z.strictObject({ _id: messageId }),
  },
  'GET /admin/routes': {
    summary: 'The named lists of lanes, each with its policy (admin)',
    reply: z.strictObject({
      routes: z.array(
        z.strictObject({
          name: z.string(),
          policy: z.enum(ROUTE_POLICIES),
          lanes: z.array(z.string()).meta({ description: 'The preferred first.' }),
        }),
      ),
    }),
  },
  'PUT /admin/routes': {
    summary: "Change a route's policy (admin)",
    body: z.strictObject({ name: z.string().min(1).max(100), policy: z.enum(ROUTE_POLICIES) }),
    reply: z.strictObject({ status: z.literal('ok') }),
  },
  'DELETE /admin/lanes/:laneId': {
    summary: 'Remove a way out that an admin made; what waits in it goes by others of its route (admin)',
    params: laneId,
    reply: z.strictObject({ status: z.literal('ok') }),
  },
});
