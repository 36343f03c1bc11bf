import type { Language } from '../../../contract/ground/constants.ts';
import { decimalFromMicros } from '../../../contract/ground/money.ts';
import type { LaneView } from '../../../contract/traffic/lanes.ts';
import type { Db } from '../../ground/postgres/index.ts';
import type { CallerRoutes } from '../../ground/route/index.ts';
import { sayReason } from '../../ground/translations/index.ts';
import { changeLane, changeMode, type LanesDeps, makeLane, openSettings } from './table/change-lane.ts';
import { type LaneRow, listLaneRows } from './table/change-store.ts';
import { listRoutes, setPolicy } from './table/route-store.ts';
import { listLanes } from './table/store.ts';

const MOST_WAITING = 10_000;
const OK = { status: 'ok' } as const;

export const adminMessageRoutes = ({ db }: { db: Db }): CallerRoutes => ({
  'GET /lanes': async () => ({ lanes: await listLanes(db) }),
});

/** Of a lane that an admin made: what is secret shows only that it is set. */
const settingsOf = (
  { secretKey, providers }: LanesDeps,
  { id, provider, source, sealedOptions }: LaneRow,
): LaneView['settings'] => {
  if (source !== 'admin' || !sealedOptions) return {};
  const secrets = providers.find(({ name }) => name === provider)?.secrets;
  return Object.fromEntries(
    Object.entries(openSettings(secretKey, id, sealedOptions)).map(([name, value]) => [
      name,
      !secrets || secrets.includes(name) ? null : value,
    ]),
  );
};

const viewOf = (
  deps: LanesDeps,
  lane: LaneRow,
  { waiting, language }: { waiting: number; language: Language },
): LaneView => {
  const {
    sealedOptions: _,
    tenMinutes,
    oneHour,
    eightHours,
    oneDay,
    costMicros,
    countryCosts,
    ...same
  } = lane;
  return {
    ...same,
    stateReason: sayReason(language, lane.stateReason),
    stateAt: lane.stateAt?.toISOString() ?? null,
    waiting,
    throttle: {
      countTenMinute: tenMinutes,
      countOneHour: oneHour,
      countEightHour: eightHours,
      countOneDay: oneDay,
    },
    cost: decimalFromMicros(costMicros),
    countryCosts: Object.fromEntries(
      Object.entries(countryCosts).map(([country, micros]) => [country, decimalFromMicros(BigInt(micros))]),
    ),
    settings: settingsOf(deps, lane),
  };
};

export const adminLaneRoutes = (deps: LanesDeps): CallerRoutes => ({
  'GET /admin/lanes': async ({ language }) => {
    const lanes = await listLaneRows(deps.db);
    const waiting = await deps.countWaiting(
      lanes.map(({ id }) => id),
      MOST_WAITING,
    );
    return {
      lanes: lanes.map((lane) => viewOf(deps, lane, { waiting: waiting.get(lane.id) ?? 0, language })),
      providers: deps.providers.map(({ name }) => name),
    };
  },
  'GET /admin/routes': async () => ({ routes: await listRoutes(deps.db) }),
  'PUT /admin/routes': async ({ body, changed }) => {
    const policy = await setPolicy(deps.db, body);
    changed({ subject: body.name, before: { ...body, policy }, after: body });
    return OK;
  },
  'POST /admin/lanes': async ({ body, changed }) => {
    const laneId = await makeLane(deps, body);
    changed({ subject: String(laneId), after: body });
    return { laneId };
  },
  'PUT /admin/lanes/:laneId': async ({ params, body, changed }) => {
    changed(await changeLane(deps, params.laneId, body));
    return OK;
  },
  'POST /admin/lanes/:laneId/mode': async ({ params, body, changed }) => {
    changed(await changeMode(deps, params.laneId, body.mode));
    return OK;
  },
  'DELETE /admin/lanes/:laneId': async ({ params, changed }) => {
    changed(await changeMode(deps, params.laneId, 'removed'));
    return OK;
  },
});
