import { CONCERNS, type Concern } from '../../../contract/office/overview.ts';
import { isLaneDown } from '../../../contract/traffic/lane-rules.ts';
import { countUnsettled, readLatestProof } from '../../customer/wallet/index.ts';
import { listMovedPhones } from '../../fleet/agents/index.ts';
import { noticesOf, readPhoneNames, readPhones } from '../../fleet/phones/index.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { readFailedJobs } from '../../ground/queue/index.ts';
import { listLaneRows } from '../../traffic/lanes/index.ts';
import { countInDoubtUpTo } from '../../traffic/outbox/index.ts';
import { listFailingEndpoints } from '../../traffic/webhooks/index.ts';
import { isRetentionAmiss, type RetentionDeps } from '../retention/index.ts';

export interface OverviewDeps {
  db: Db;
  retention: Pick<RetentionDeps, 'db' | 'mode'>;
  /** Whether the disk of the data folder is nearly full. */
  isDiskLow: () => boolean;
}

const MOST_COUNTED = 1_000;
const MOST_NAMED = 3;

type Found = Pick<Concern, 'kind'> & { count: number; names?: string[]; since?: Date | null };

const readPhoneConcerns = async (db: Db): Promise<Found[]> => {
  const notices = (await readPhones(db)).flatMap(noticesOf);
  const of = (kind: Found['kind'], notice: (typeof notices)[number]['kind']): Found => {
    const names = notices.flatMap((one) => (one.kind === notice ? [one.phoneName] : []));
    return { kind, count: names.length, names };
  };
  return [of('phones_down', 'DOWN'), of('phones_validity', 'VALIDITY'), of('phones_topup', 'TOPUP')];
};

const readMovedSims = async (db: Db): Promise<Found> => {
  const moved = await listMovedPhones(db, MOST_COUNTED);
  const names = await readPhoneNames(
    db,
    moved.map(({ phoneId }) => phoneId),
  );
  return {
    kind: 'sims_moved',
    count: moved.length,
    names: moved.map(({ phoneId }) => names.get(phoneId)?.name ?? ''),
    since: moved[0]?.at ?? null,
  };
};

const readLaneConcern = async (db: Db): Promise<Found> => {
  const down = (await listLaneRows(db)).filter(isLaneDown);
  return { kind: 'lanes', count: down.length, names: down.map(({ name }) => name) };
};

const readJobConcern = async (db: Db): Promise<Found> => {
  const failed = await readFailedJobs(db);
  return {
    kind: 'jobs',
    count: failed.reduce((sum, { count }) => sum + count, 0),
    names: failed.map(({ name }) => name),
    since: failed.reduce<Date | null>((first, { since }) => (first && first < since ? first : since), null),
  };
};

const view = ({ kind, count, names = [], since = null }: Found): Concern => ({
  kind,
  count: Math.min(count, MOST_COUNTED),
  names: names.slice(0, MOST_NAMED),
  since: since?.toISOString() ?? null,
});

/** What needs a hand now, the most urgent first. */
export const readConcerns = async ({ db, retention, isDiskLow }: OverviewDeps): Promise<Concern[]> => {
  const [failing, proof, doubt, unsettled, amiss] = await Promise.all([
    listFailingEndpoints(db, MOST_COUNTED),
    readLatestProof(db),
    countInDoubtUpTo(db, MOST_COUNTED),
    countUnsettled(db, MOST_COUNTED),
    isRetentionAmiss(retention),
  ]);
  const found: Found[] = [
    { kind: 'ledger', count: Number(proof?.differences ?? 0) },
    { kind: 'in_doubt', ...doubt },
    await readLaneConcern(db),
    await readMovedSims(db),
    ...(await readPhoneConcerns(db)),
    { kind: 'payments', ...unsettled },
    {
      kind: 'webhooks',
      count: failing.length,
      since: failing[0]?.since ?? null,
    },
    await readJobConcern(db),
    { kind: 'disk', count: isDiskLow() ? 1 : 0 },
    { kind: 'retention', count: amiss ? 1 : 0 },
  ];
  return found
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => CONCERNS.indexOf(a.kind) - CONCERNS.indexOf(b.kind))
    .map(view);
};
