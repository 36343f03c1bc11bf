import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Db } from '../../ground/postgres/index.ts';
import type { PublishEvents, PublishingRows } from '../outbox/index.ts';
import { listReceiving } from './endpoints/endpoint-store.ts';
import { givenEvents, storingEvents } from './events/publish-store.ts';
import { type Notices, openNotices } from './serving/notices.ts';

interface OpenOptions {
  db: Db;
  url: string;
  log: { warn: (facts: object, text: string) => void };
}

interface Webhooks {
  publish: PublishEvents;
  publishingRows: PublishingRows;
  /** Whether any of these accounts may be a subscriber. */
  hasSubscriber: (accountIds: AccountId[]) => boolean;
  notices: Notices;
  close: () => Promise<void>;
}

/**
 * For the rooms that change messages. It knows the subscribers from notifications, so that a flush without one costs
 * nothing. It may know too many, such as an account that has just removed its webhook: the statement that writes
 * decides. While it can't be sure that it knows all, it treats every account as a subscriber.
 */
export const openWebhooks = ({ db, url, log }: OpenOptions): Webhooks => {
  const wanting = new Set<AccountId>();
  let knowsAll = false;
  let times = 0;

  const learn = async (): Promise<void> => {
    times += 1;
    const time = times;
    try {
      for (const accountId of await listReceiving(db)) wanting.add(accountId);
      knowsAll = time === times;
    } catch (error) {
      log.warn({ err: error }, 'who wants events is not known yet');
    }
  };
  const notices = openNotices({
    url,
    onReady: () => void learn(),
    onAway: (error) => {
      times += 1;
      knowsAll = false;
      log.warn({ err: error }, 'webhooks hear no notices for a moment');
    },
  });
  notices.hear(({ kind, accountId }) => {
    if (kind === 'endpoint') wanting.add(accountId);
  });

  return {
    publish: async (trx, events) => {
      const wanted = knowsAll ? events.filter(({ accountId }) => wanting.has(accountId)) : events;
      if (wanted.length > 0) await storingEvents(givenEvents(wanted)).execute(trx);
    },
    publishingRows: storingEvents,
    hasSubscriber: (accountIds) => !knowsAll || accountIds.some((accountId) => wanting.has(accountId)),
    notices,
    close: notices.close,
  };
};
