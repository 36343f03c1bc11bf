import type { Reply } from '../../../contract/calls.ts';
import { API_CALLS_HOURS, type ApiCall, type CallOutcome } from '../../../contract/customer/integration.ts';
import { CHANNELS } from '../../../contract/ground/channels.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { type PackedCall, unpackCalls } from './call-pack.ts';
import { countCalls, type PackFilter, type PackPlace, readPacks } from './store.ts';

const PACKS_A_READ = 20;

const outcomeOf = (status: number): CallOutcome =>
  status < 400 ? 'SUCCEEDED' : status < 500 ? 'REFUSED' : 'FAILED';

const codeOf = (answer: unknown): string | null =>
  typeof answer === 'object' && answer !== null && 'code' in answer && typeof answer.code === 'string'
    ? answer.code
    : null;

const view = ({ call, id }: { call: PackedCall; id: string }): ApiCall => {
  const { atMs, answer, ...facts } = call;
  const [, , first] = call.path.split('/');
  return {
    ...facts,
    _id: id,
    at: new Date(atMs).toISOString(),
    channel: CHANNELS.find((channel) => channel === first) ?? null,
    code: call.status < 400 ? null : codeOf(answer),
    answer,
  };
};

async function* packsFrom(db: Db, filter: PackFilter, start: PackPlace | undefined) {
  let from = start;
  for (;;) {
    const packs = await readPacks(db, { ...filter, from, limit: PACKS_A_READ });
    yield* packs;
    const last = packs.at(-1);
    if (!last || packs.length < PACKS_A_READ) return;
    from = { id: last.id, operator: '<' };
  }
}

async function* callsBefore(db: Db, filter: PackFilter, before: string | undefined) {
  const sinceMs = Date.now() - API_CALLS_HOURS * 3_600_000;
  const [pack, place] = before?.split('.') ?? [];
  for await (const { id, calls: packed } of packsFrom(
    db,
    filter,
    pack ? { id: pack, operator: '<=' } : undefined,
  )) {
    const calls = await unpackCalls(packed);
    const end = id === pack ? Number(place) : calls.length;
    for (const [at, call] of [...calls.slice(0, end).entries()].reverse())
      if (call.atMs >= sinceMs && (!filter.outcome || outcomeOf(call.status) === filter.outcome))
        yield view({ call, id: `${id}.${at}` });
  }
}

/** A page of calls, newest first. Calls of several processes may be a second out of order. */
export const listCalls = async (
  db: Db,
  { before, limit, ...filter }: PackFilter & { before: string | undefined; limit: number },
): Promise<Reply<'GET /account/:accountId/apiCalls'>> => {
  const found: ApiCall[] = [];
  for await (const call of callsBefore(db, filter, before)) {
    found.push(call);
    if (found.length > limit) break;
  }
  return {
    calls: found.slice(0, limit),
    more: found.length > limit,
    total: await countCalls(db, filter),
  };
};
