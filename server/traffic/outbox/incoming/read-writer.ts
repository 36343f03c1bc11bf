import type { Db } from '../../../ground/postgres/index.ts';
import { numberReadings } from '../../../ground/recipients/index.ts';
import type { Inbound } from '../../lanes/index.ts';
import { hasWrittenTo, type InboundLane } from './inbound-store.ts';

/**
 * The number of whoever wrote, in the form that recipients have. Carriers leave out the plus sign, or the whole country
 * code. Where the digits may be the number of one or another, it is theirs whom we wrote to from the number that was
 * written to; if that was neither or both, it stays as it came, because a STOP must not be taken for another's.
 */
export const readWriter = async (
  trx: Db,
  lane: InboundLane,
  { from, to }: Pick<Inbound, 'from' | 'to'>,
): Promise<string> => {
  if (lane.channel !== 'sms') return from;
  const [first = from, ...others] = numberReadings({ from, to });
  if (others.length === 0) return first;
  const known: string[] = [];
  for (const reading of [first, ...others])
    if (await hasWrittenTo(trx, lane, { from: reading, to })) known.push(reading);
  return known.length === 1 && known[0] !== undefined ? known[0] : from;
};
