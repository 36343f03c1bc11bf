import type { Db } from '../../../ground/postgres/index.ts';
import { carrierOf, readPrefixes } from '../../carriers/index.ts';
import { readLastLanes } from '../../lanes/index.ts';
import type { RoutedMessage } from '../../routing/index.ts';

type Known = Pick<RoutedMessage, 'last' | 'carrier'>;

/** What routing weighs of these people: the phone that last wrote to each, and whose network they are in. */
export const readRecipientFacts = async (
  db: Db,
  recipients: readonly string[],
): Promise<(recipient: string) => Known> => {
  const last = await readLastLanes(db, recipients);
  const networkOf = carrierOf(await readPrefixes(db));
  return (recipient) => ({ last: last.get(recipient), carrier: networkOf(recipient) });
};
