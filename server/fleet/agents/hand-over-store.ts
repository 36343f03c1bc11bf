import { sql } from 'kysely';
import type { HandOverId } from '../../../contract/fleet/agent-protocol.ts';
import type { AgentId } from '../../../contract/fleet/agents.ts';
import type { PhoneId } from '../../../contract/fleet/phones.ts';
import type { MessageId } from '../../../contract/traffic/messages.ts';
import { type Db, storableJson } from '../../ground/postgres/index.ts';
import type { SendOutcome } from '../../traffic/lanes/index.ts';
import { isPending } from '../../traffic/outbox/index.ts';
import { IS_CONNECTED } from './agent-store.ts';

export const idOf = (messageId: string, attempt: number): HandOverId =>
  `${messageId}.${attempt}` as HandOverId;
export const splitHandOverId = (id: HandOverId): { messageId: MessageId; attempt: number } => {
  const [messageId = '', attempt = ''] = id.split('.');
  return { messageId: messageId as MessageId, attempt: Number(attempt) };
};

const given = (ids: HandOverId[]) => sql`unnest(${ids.map((id) => splitHandOverId(id).messageId)}::uuid[],
  ${ids.map((id) => splitHandOverId(id).attempt)}::smallint[]) as g (message_id, attempt)`;
const IS_GIVEN = sql`h.message_id = g.message_id and h.attempt = g.attempt`;
const ID = sql<HandOverId>`h.message_id || '.' || h.attempt`;

export interface NewHandOver {
  id: HandOverId;
  phoneId: PhoneId;
  recipient: string;
  text: string;
  /** From now. */
  withinMs: number;
}

/** Stores what agents are to send; may be repeated. Returns whose they are; nothing for phones that are in no modem. */
export const insertHandOvers = async (
  db: Db,
  handOvers: NewHandOver[],
): Promise<{ id: HandOverId; agentId: AgentId }[]> => {
  const ids = handOvers.map(({ id }) => id);
  const of = <Key extends keyof NewHandOver>(key: Key) => handOvers.map((one) => one[key]);
  await sql`
    insert into agent_handovers (message_id, attempt, agent_id, modem, recipient, text, until)
    select g.message_id, g.attempt, m.agent_id, m.name, g.recipient, g.text,
      clock_timestamp() + g.within_ms * interval '1 ms'
    from unnest(${ids.map((id) => splitHandOverId(id).messageId)}::uuid[], ${ids.map((id) => splitHandOverId(id).attempt)}::smallint[],
      ${of('phoneId')}::uuid[], ${of('recipient')}::text[], ${of('text')}::text[], ${of('withinMs')}::int[])
      as g (message_id, attempt, phone_id, recipient, text, within_ms)
    join agent_modems m on m.phone_id = g.phone_id
    on conflict do nothing`.execute(db);
  const { rows } = await sql<{ id: HandOverId; agentId: AgentId }>`
    select ${ID} as id, h.agent_id as "agentId" from agent_handovers h join ${given(ids)} on ${IS_GIVEN}`.execute(
    db,
  );
  return rows;
};

export interface OpenHandOver {
  id: HandOverId;
  agentId: AgentId;
  modem: string;
  recipient: string;
  text: string;
  until: Date;
}

const OPEN = sql`${ID} as id, h.agent_id as "agentId", h.modem, h.recipient, h.text, h.until`;
const isOpenFor = (connectionIds: string[]) => sql`a.id = h.agent_id and a.removed_at is null
  and a.connection_id = any(${connectionIds}::uuid[]) and h.outcome is null and h.until > clock_timestamp()
  and ${isPending(sql`h.message_id`)}`;

/**
 * What the agents of these connections are to send, marked as given: it may go out from now on. A message that an admin
 * has resolved meanwhile is left out: it was refunded, or is believed to be sent.
 */
export const giveHandOvers = async (db: Db, connectionIds: string[]): Promise<OpenHandOver[]> => {
  const { rows } = await sql<OpenHandOver>`
    with fresh as (
      update agent_handovers h set given_at = clock_timestamp() from agents a
      where ${isOpenFor(connectionIds)} and h.given_at is null returning h.*
    )
    select ${OPEN} from fresh h
    union all select ${OPEN} from agent_handovers h join agents a on true
    where ${isOpenFor(connectionIds)} and h.given_at is not null`.execute(db);
  return rows;
};

export interface Answered {
  id: HandOverId;
  outcome: SendOutcome;
}

/**
 * Stores what an agent says came of its hand-overs; the first word counts. Returns those that are not there any more:
 * whose they were is not known here.
 */
export const answerHandOvers = async (
  db: Db,
  agentId: AgentId,
  answers: Answered[],
): Promise<HandOverId[]> => {
  const ids = answers.map(({ id }) => id);
  await sql`
    update agent_handovers h set outcome = g.outcome, answered_at = clock_timestamp(),
      given_at = coalesce(h.given_at, clock_timestamp())
    from unnest(${ids.map((id) => splitHandOverId(id).messageId)}::uuid[], ${ids.map((id) => splitHandOverId(id).attempt)}::smallint[],
      ${answers.map(({ outcome }) => storableJson(outcome))}::jsonb[]) as g (message_id, attempt, outcome)
    where ${IS_GIVEN} and h.agent_id = ${agentId} and h.outcome is null`.execute(db);
  const { rows } = await sql<{ id: HandOverId }>`
    select g.message_id || '.' || g.attempt as id from ${given(ids)}
    where not exists (select from agent_handovers h where ${IS_GIVEN})`.execute(db);
  return rows.map(({ id }) => id);
};

/** The answers to hand-overs that a worker waits for. */
export const readAnswers = async (db: Db, ids: HandOverId[]): Promise<Answered[]> => {
  const { rows } = await sql<Answered>`
    select ${ID} as id, h.outcome from agent_handovers h join ${given(ids)} on ${IS_GIVEN}
    where h.outcome is not null`.execute(db);
  return rows;
};

const NOT_GIVEN: SendOutcome = {
  outcome: 'refused',
  code: 'AGENT_AWAY',
  reason: 'The agent was not reached.',
  retryable: true,
};

/**
 * What went out on a connection that had died, when its agent is back and does not hold it: an agent holds what it took
 * until its result is stored here. It counts as not given.
 */
export const takeBackHandOvers = async (trx: Db, agentId: AgentId, held: HandOverId[]): Promise<void> => {
  await sql`
    update agent_handovers h set given_at = null, waits_since = clock_timestamp()
    where h.agent_id = ${agentId} and h.outcome is null and h.given_at is not null
      and not exists (select from ${given(held)} where ${IS_GIVEN})`.execute(trx);
};

/** By this time the process with the agent's connection has passed the hand-over on. */
const GIVE_WITHIN = sql`interval '4 seconds'`;

/** What went out on no connection within seconds, or whose agent is away or whose time is over: certainly not sent. */
export const withdrawHandOvers = async (db: Db): Promise<void> => {
  await sql`
    update agent_handovers h set outcome = ${JSON.stringify(NOT_GIVEN)}::jsonb, answered_at = clock_timestamp()
    from agents a where a.id = h.agent_id and h.outcome is null and h.given_at is null
      and (least(h.until, h.waits_since + ${GIVE_WITHIN}) < clock_timestamp() or not ${IS_CONNECTED})`.execute(
    db,
  );
};

/** Answers that are this old: the worker that waited for them has stored them, or is gone. */
export const listAnswered = async (
  db: Db,
  { olderMs, limit }: { olderMs: number; limit: number },
): Promise<(Answered & { at: Date })[]> => {
  const { rows } = await sql<Answered & { at: Date }>`
    select ${ID} as id, h.outcome, h.answered_at as at from agent_handovers h
    where h.outcome is not null and h.answered_at < clock_timestamp() - ${olderMs} * interval '1 ms'
    order by h.answered_at limit ${limit}`.execute(db);
  return rows;
};

export const removeHandOvers = async (db: Db, ids: HandOverId[]): Promise<void> => {
  await sql`delete from agent_handovers h using ${given(ids)} where ${IS_GIVEN}`.execute(db);
};

/** An agent that says later what came of these is believed without the row. */
export const removeOldHandOvers = async (db: Db): Promise<void> => {
  await sql`delete from agent_handovers where until < now() - interval '1 day'`.execute(db);
};
