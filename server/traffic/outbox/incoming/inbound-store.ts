import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { Channel } from '../../../../contract/ground/channels.ts';
import type { MediaId } from '../../../../contract/traffic/media.ts';
import type { MessageId } from '../../../../contract/traffic/messages.ts';
import { isOpenAccount } from '../../../customer/accounts/index.ts';
import { accountsGiven } from '../../../customer/senders/index.ts';
import { type Db, storableJson } from '../../../ground/postgres/index.ts';
import { countryOfNumber, senderKey } from '../../../ground/recipients/index.ts';
import { carrierOfNumber } from '../../carriers/index.ts';
import type { Inbound } from '../../lanes/index.ts';
import { expectMedia } from '../../media/index.ts';
import { noteSession } from './session-store.ts';

/** Older conversations have ended: a later reply belongs to no account. */
const CONVERSATION_DAYS = 60;

type InboundFate = 'stored' | 'repeated' | 'unassigned';

/** Stored for this account, unless it was stored before or belongs to no account. */
interface InboundOutcome {
  fate: InboundFate;
  accountId: AccountId | undefined;
  /** Id of the stored message. */
  id: MessageId | undefined;
  /** Whether a simulator made it up. */
  simulated: boolean;
}

export interface InboundLane {
  id: number;
  channel: Channel;
}

/**
 * Defines `lane`, that the message came by, and `given`, the accounts that have the number it was sent to. A device has
 * one account, whatever its number, and a phone that is lent to one account has none but that. Other simulators make
 * their replies up, so nobody has their numbers. What is lent to a closed account is lent to nobody; closing has taken
 * its senders away.
 */
const numberOwners = ({ id, channel }: InboundLane, to: string) => sql`
  lane as (select simulated, source, sender, phone_id, array(select account_id from unnest(dedicated_to) lent (account_id)
      where ${isOpenAccount(sql`lent.account_id`)}) as lent_to
    from lanes where id = ${id}),
  given as (select account_id from (${accountsGiven(channel, senderKey(to))}) has
    where not (select simulated from lane) and (select source from lane) <> 'device'
    union
    select unnest(lent_to) from lane where source = 'device' or (source = 'phone' and not simulated
      and sender <> '' and cardinality(lent_to) = 1))`;

/** That the lane `l` sends from this number. Nobody knows what a lane without a sender sends from. */
const sendsFrom = (to: string) => sql`(l.sender <> '' and l.sender = ${senderKey(to)})`;

/**
 * Messages `m` to a person from a number of ours: those that named it, and those without a sender whose lane sends from
 * it. Where the carrier chooses the number and nobody has been given this one, it may be the one that it chose; the ways
 * out of a phone have one number. What a simulator took never reached anybody.
 */
const writtenFrom = ({ id, channel }: InboundLane, { from, to }: Pick<Inbound, 'from' | 'to'>) => sql`
  messages m join lanes l on l.id = m.lane_id
  where (case m.type when 'incoming' then m.sender else m.recipient end) = ${from}
    and m.type = 'outgoing' and m.channel = ${channel} and m.sent_at is not null
    and m.test = (select simulated from lane)
    and (m.sender in (${to}, ${senderKey(to)}) or (m.sender is null and (${sendsFrom(to)}
      or ((l.id = ${id} or l.phone_id = (select phone_id from lane)) and l.sender = ''
        and not exists (select from given)))))`;

/**
 * Stores an incoming message for the account that has the number it was sent to; of several that share the number, for
 * the last one that wrote from it to this person. Nothing is stored for a closed account: nobody reads it. Carriers
 * repeat what they believe was not acknowledged: the same id on the same lane is the same message.
 */
export const storeInbound = async (db: Db, lane: InboundLane, inbound: Inbound): Promise<InboundOutcome> => {
  const { providerMessageId, from, to, text, at, content } = inbound;
  const { id: laneId, channel } = lane;
  const id = randomUUID() as MessageId;
  const media = content?.media && { ...content.media, id: randomUUID() as MediaId };
  const kept = content ? storableJson({ ...content, ...(media && { media }) }) : null;
  const { rows } = await sql<{ fate: InboundFate; accountId: AccountId | null; simulated: boolean }>`
    with ${numberOwners(lane, to)}, last as (
      select m.account_id, m.test, m.country
      from ${writtenFrom(lane, inbound)}
        and m.created_at > now() - ${CONVERSATION_DAYS} * interval '1 day'
        and ((select source from lane) <> 'device' and (not exists (select from given) or ${sendsFrom(to)})
          or m.account_id in (select account_id from given))
        and ${isOpenAccount(sql`m.account_id`)}
      order by m.created_at desc limit 1
    ), owner as (
      select * from last
      union all
      select account_id, (select simulated from lane), ${countryOfNumber(from)} from given
      where not exists (select from last) and (select count(*) from given) = 1
    ), fresh as (
      insert into inbound_ids (lane_id, provider_message_id)
      select ${laneId}, ${providerMessageId} where ${providerMessageId} <> ''
      on conflict do nothing returning lane_id
    ), stored as (
      insert into messages (id, account_id, lane_id, channel, type, status, recipient_raw, recipient, country,
        carrier, sender, message, test, provider_message_id, content, sent_at, created_at, updated_at)
      select ${id}::uuid, account_id, ${laneId}, ${channel}, 'incoming', 'SUCCESS', ${to}, ${to}, country,
        coalesce(${carrierOfNumber(from)}, (select coalesce(nullif(carrier, ''), aliases[1]) from lanes where id = ${laneId})),
        ${from}, ${text}, test, nullif(${providerMessageId}, ''), ${kept}::jsonb, ${at}, now(), now()
      from owner where ${providerMessageId} = '' or exists (select from fresh) returning account_id, lane_id, provider_message_id, created_at, id
    ), named as (
      insert into carrier_ids select lane_id, provider_message_id, created_at, id from stored
      where provider_message_id is not null
    ), unassigned as (
      insert into unassigned_inbound (lane_id, channel, provider_message_id, sender, recipient, message, content,
        sent_at)
      select ${laneId}, ${channel}, ${providerMessageId}, ${from}, ${to}, ${text}, ${kept}::jsonb, ${at}::timestamptz
      where not exists (select from owner) and (${providerMessageId} = '' or exists (select from fresh))
      returning id
    )
    select case when exists (select from stored) then 'stored' when exists (select from unassigned) then 'unassigned'
      else 'repeated' end as fate, (select account_id from stored) as "accountId",
      (select simulated from lane) as simulated`.execute(db);
  const { fate, accountId, simulated } = rows[0] ?? {
    fate: 'unassigned' as const,
    accountId: null,
    simulated: false,
  };
  if (accountId === null) return { fate, accountId: undefined, id: undefined, simulated };
  if (channel === 'whatsapp') await noteSession(db, { accountId, customer: from, laneId, at });
  if (media && content?.media)
    await expectMedia(db, { ...media, accountId, messageId: id, laneId, providerMediaId: content.media.id });
  return { fate, accountId, id, simulated };
};

/** Whether somebody ever wrote to this person, `from`, from the number `to` of ours. */
export const hasWrittenTo = async (
  db: Db,
  lane: InboundLane,
  conversation: Pick<Inbound, 'from' | 'to'>,
): Promise<boolean> => {
  const { rows } = await sql<{ written: boolean }>`
    with ${numberOwners(lane, conversation.to)}
    select exists (select from ${writtenFrom(lane, conversation)}) as written`.execute(db);
  return rows[0]?.written ?? false;
};

/**
 * Every account that uses the number which a message was sent to: those that have it, and those that ever wrote from it
 * to this person. A closed one among them, as long as it can be reopened, for it might write again: after that its
 * messages no longer name anybody. None for the number of a simulator.
 */
export const listNumberUsers = async (
  db: Db,
  { laneId, channel, from, to }: Pick<Inbound, 'from' | 'to'> & { laneId: number; channel: Channel },
): Promise<AccountId[]> => {
  const lane = { id: laneId, channel };
  const { rows } = await sql<{ accountId: AccountId }>`
    with ${numberOwners(lane, to)}
    select account_id as "accountId" from given
    union
    select m.account_id from ${writtenFrom(lane, { from, to })} and not (select simulated from lane)`.execute(
    db,
  );
  return rows.map(({ accountId }) => accountId);
};

/** After this, carriers no longer repeat an incoming message; Meta repeats for up to seven days. */
const REPEATED_DAYS = 8;

export const removeOldInboundIds = async (db: Db): Promise<void> => {
  await sql`delete from inbound_ids
    where received_at < now() - make_interval(days => ${REPEATED_DAYS})`.execute(db);
};
