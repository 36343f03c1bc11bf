import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { microsFromDecimal } from '../../../../contract/ground/money.ts';
import type { LaneChange, NewLane } from '../../../../contract/traffic/lanes.ts';
import { DomainError } from '../../../ground/domain-error.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import { senderKey } from '../../../ground/recipients/index.ts';
import { openSealed, seal } from '../../../ground/sealing/index.ts';
import type { LaneProvider, ProviderSettings } from '../lane-provider.ts';
import type { ProviderLane } from '../provider-lane.ts';
import { announceLanes } from '../serving/wake-store.ts';
import {
  insertLane,
  type LaneRow,
  type LaneUpdate,
  lockLaneRow,
  setLaneMode,
  updateLane,
} from './change-store.ts';
import type { LaneMode } from './store.ts';

export interface LanesDeps {
  db: Db;
  /** Seals the settings of lanes. */
  secretKey: Buffer;
  /** Whose lanes an admin can make. */
  providers: LaneProvider[];
  /** How many messages wait in each of these lanes, up to a limit. */
  countWaiting: (laneIds: number[], limit: number) => Promise<Map<number, number>>;
  /** The first of these ids that no account has. */
  findUnknownAccount: (trx: Db, accountIds: AccountId[]) => Promise<AccountId | undefined>;
}

/** Real lanes of the settings have this too; simulators come after them. */
const PREFERENCE = 100;

interface SetDeviceLane {
  name: string;
  provider: string;
  accountId: AccountId;
  /** Its number. */
  sender: string;
  settings: ProviderSettings;
}

const micros = (decimal: string): bigint => microsFromDecimal(decimal) ?? 0n;

const ownerOf = (laneId: number): string => `lane:${laneId}`;

/** The settings of a lane that an admin made. */
export const openSettings = (key: Buffer, laneId: number, sealed: Buffer): ProviderSettings =>
  JSON.parse(openSealed({ key, owner: ownerOf(laneId), sealed })) as ProviderSettings;

const providerOf = ({ providers }: Pick<LanesDeps, 'providers'>, name: string): LaneProvider => {
  const provider = providers.find((one) => one.name === name);
  if (!provider) throw new DomainError('E_LANE_SETTINGS', { fault: `there is no provider ${name}` });
  return provider;
};

const laneOf = (provider: LaneProvider, settings: ProviderSettings, name: string): ProviderLane => {
  try {
    return provider.lane(settings, name);
  } catch (error) {
    throw new DomainError('E_LANE_SETTINGS', { fault: (error as Error).message });
  }
};

/** A lane for nobody would look like one that is in use. */
const requireAccounts = async (
  trx: Db,
  { findUnknownAccount }: LanesDeps,
  { dedicatedTo = [] }: LaneUpdate,
): Promise<void> => {
  const accountId = dedicatedTo.length > 0 ? await findUnknownAccount(trx, dedicatedTo) : undefined;
  if (accountId) throw new DomainError('E_ACCOUNT_UNKNOWN', { accountId });
};

const updateOf = ({
  throttle,
  cost,
  countryCosts,
  dedicatedTo,
  settings: _,
  ...same
}: LaneChange): LaneUpdate => ({
  ...same,
  ...(dedicatedTo && { dedicatedTo: dedicatedTo as AccountId[] }),
  ...(throttle && {
    tenMinutes: throttle.countTenMinute,
    oneHour: throttle.countOneHour,
    eightHours: throttle.countEightHour,
    oneDay: throttle.countOneDay,
  }),
  ...(cost !== undefined && { costMicros: micros(cost) }),
  ...(countryCosts && {
    countryCosts: Object.fromEntries(
      Object.entries(countryCosts).map(([country, one]) => [country, String(micros(one))]),
    ),
  }),
});

const sealed = (
  { secretKey }: Pick<LanesDeps, 'secretKey'>,
  laneId: number,
  settings: ProviderSettings,
): Buffer => seal({ key: secretKey, owner: ownerOf(laneId), text: JSON.stringify(settings) });

/** Makes a lane; workers that can reach it begin to serve it at once. */
export const makeLane = async (deps: LanesDeps, lane: NewLane): Promise<number> => {
  const { name, provider: providerName, settings = {}, ...facts } = lane;
  const provider = providerOf(deps, providerName);
  const { sessionHours, waba = '', sender = '' } = laneOf(provider, settings, name);
  const update = updateOf(facts);
  return deps.db.transaction().execute(async (trx) => {
    await requireAccounts(trx, deps, update);
    const { channel, simulated } = provider;
    const laneId = await insertLane(trx, {
      name,
      channel,
      simulated,
      provider: providerName,
      source: 'admin',
      preference: PREFERENCE,
      sessionHours: sessionHours ?? null,
      waba,
      sender: senderKey(sender),
    });
    if (laneId === undefined) throw new DomainError('E_LANE_EXISTS', { name });
    await updateLane(trx, laneId, {
      ...update,
      route: facts.route ?? channel,
      sealedOptions: sealed(deps, laneId, settings),
    });
    await announceLanes(trx);
    return laneId;
  });
};

/** The lane of a device whose provider needs settings; within the transaction that makes the device. */
export const makeDeviceLane = async (
  trx: Db,
  deps: Pick<LanesDeps, 'secretKey' | 'providers'>,
  { name, provider: providerName, accountId, sender, settings }: SetDeviceLane,
): Promise<number> => {
  const provider = providerOf(deps, providerName);
  const { sessionHours, waba = '' } = laneOf(provider, settings, name);
  const { channel, simulated } = provider;
  const laneId = await insertLane(trx, {
    name,
    channel,
    simulated,
    provider: providerName,
    source: 'device',
    preference: PREFERENCE,
    sessionHours: sessionHours ?? null,
    waba,
    sender,
  });
  if (laneId === undefined) throw new DomainError('E_LANE_EXISTS', { name });
  await updateLane(trx, laneId, { dedicatedTo: [accountId], sealedOptions: sealed(deps, laneId, settings) });
  await announceLanes(trx);
  return laneId;
};

/** A lane before a change and after it. */
interface LaneThen {
  before: LaneRow;
  after: LaneRow;
}

const lock = async (trx: Db, laneId: number): Promise<LaneRow> => {
  const lane = await lockLaneRow(trx, laneId);
  if (!lane) throw new DomainError('E_NOT_FOUND');
  return lane;
};

/** Lanes of phones and devices follow these. */
const requireOwn = ({ source }: LaneRow): void => {
  if (source === 'phone') throw new DomainError('E_LANE_OF_PHONE');
  if (source === 'device') throw new DomainError('E_LANE_OF_DEVICE');
};

/** Settings that are not given stay as they are. */
export const changeLane = (deps: LanesDeps, laneId: number, change: LaneChange): Promise<LaneThen> =>
  deps.db.transaction().execute(async (trx) => {
    const lane = await lock(trx, laneId);
    requireOwn(lane);
    const update = updateOf(change);
    await requireAccounts(trx, deps, update);
    if (change.settings) {
      if (lane.source !== 'admin' || !lane.sealedOptions) throw new DomainError('E_LANE_OF_SETTINGS');
      const before = openSettings(deps.secretKey, laneId, lane.sealedOptions);
      const settings = { ...before, ...change.settings };
      const { sender = '' } = laneOf(providerOf(deps, lane.provider), settings, lane.name);
      update.sender = senderKey(sender);
      update.sealedOptions = sealed(deps, laneId, settings);
    }
    await updateLane(trx, laneId, update);
    await announceLanes(trx);
    return { before: lane, after: await lock(trx, laneId) };
  });

export const changeMode = ({ db }: LanesDeps, laneId: number, mode: LaneMode): Promise<LaneThen> =>
  db.transaction().execute(async (trx) => {
    const lane = await lock(trx, laneId);
    requireOwn(lane);
    // The worker that names it in its settings would bring it back.
    if (mode === 'removed' && lane.source === 'settings') throw new DomainError('E_LANE_OF_SETTINGS');
    await setLaneMode(trx, laneId, mode);
    await announceLanes(trx);
    return { before: lane, after: { ...lane, mode } };
  });
