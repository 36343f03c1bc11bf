import type { AccountId } from '../../../contract/customer/accounts.ts';
import { DEFAULT_TIME_ZONE } from '../../../contract/ground/constants.ts';
import { localTime } from '../../ground/local-time/index.ts';
import type { LaneFacts, RoutedMessage } from './lane-facts.ts';
import { type LaneTally, phoneRoomOf, roomOf, routesOfOwn, type Surroundings } from './rules.ts';

interface Options {
  nowMs: number;
  /** Of the chooser that is replaced: turns go on. */
  past: ReadonlyMap<number, LaneTally> | undefined;
  /** Numbers of phones that are not among the facts. */
  phoneSenders: Iterable<string>;
}

export const phoneSendersOf = (facts: LaneFacts[]): string[] =>
  facts.flatMap(({ phone, sender }) => (phone && sender ? [sender] : []));

/** What these facts say about every message: the tallies of their lanes, and what the rules have to know. */
export const openSurroundings = (facts: LaneFacts[], { nowMs, past, phoneSenders: others }: Options) => {
  const tallies = new Map<number, LaneTally>();
  for (const lane of facts) {
    const { credit = 0, probedMs = 0 } = past?.get(lane.id) ?? {};
    const left = roomOf(lane, { nowMs, probedMs });
    tallies.set(lane.id, { chosen: 0, left, ...phoneRoomOf(lane), credit, probedMs });
  }
  const tallyOf = ({ id }: LaneFacts): LaneTally => {
    const tally = tallies.get(id);
    if (!tally) throw new Error(`the lane ${id} is not among the facts`);
    return tally;
  };
  const hasPhones = facts.some(({ phone }) => phone !== null);
  const byId = new Map(facts.map((lane) => [lane.id, lane]));
  // A device is one account's own and changes nothing for messages that don't name it.
  const onlySimulators = facts.every(({ simulated, device }) => simulated || device !== null);
  const aliases = new Set(facts.flatMap(({ phone }) => phone?.aliases ?? []));
  const phoneSenders = new Set([...others, ...phoneSendersOf(facts)]);
  // A device is found by its name, not because it is the account's own.
  const owners = new Set<AccountId>(
    facts.filter(({ device }) => device === null).flatMap(({ dedicatedTo }) => dedicatedTo),
  );
  const hour = Number(localTime(new Date(nowMs), DEFAULT_TIME_ZONE).slice(11, 13));

  const around = (message: RoutedMessage): Surroundings => ({
    nowMs,
    hour,
    phoneSenders,
    ownRoutes: owners.has(message.accountId) ? routesOfOwn(facts, message) : undefined,
    tallyOf,
  });
  /** Without phones the sender does not affect the choice of a lane, so messages of all senders are alike. */
  const senderKind = (from: string): string =>
    phoneSenders.has(from) ? from : hasPhones && from ? 'other' : '';
  const alikeKey = ({ channel, country, test, accountId, carrier, device, from }: RoutedMessage): string =>
    !device
      ? `${channel}/${country}/${test}/${owners.has(accountId) ? accountId : ''}/${aliases.has(carrier ?? '') ? carrier : ''}/${senderKind(from ?? '')}`
      : `${channel}/${country}/${test}/${accountId}/${device}/${senderKind(from ?? '')}`;
  return { tallies, tallyOf, byId, hasPhones, onlySimulators, around, alikeKey };
};
