import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { listenTo } from '../../../ground/postgres/index.ts';
import { WEBHOOKS_CHANNEL } from '../endpoints/endpoint-store.ts';

interface Notice {
  /** An account has new events, or its endpoint changed. */
  kind: 'event' | 'endpoint';
  accountId: AccountId;
}

interface NoticesOptions {
  url: string;
  /** The connection is up: no notification is missed from now on. */
  onReady?: () => void;
  /** The connection broke. */
  onAway?: (error: Error) => void;
}

/** Notifications about webhooks between the processes of an installation; one connection per process. */
export const openNotices = ({ url, onReady = () => {}, onAway = () => {} }: NoticesOptions) => {
  const listeners = new Set<(notice: Notice) => void>();
  const listener = listenTo({
    url,
    channel: WEBHOOKS_CHANNEL,
    onNotice: (payload) => {
      const [kind, accountId] = payload.split(' ') as [Notice['kind'], AccountId];
      for (const hear of listeners) hear({ kind, accountId });
    },
    onReady,
    onError: onAway,
  });
  return {
    /** Returns how to unsubscribe. */
    hear: (hear: (notice: Notice) => void): (() => void) => {
      listeners.add(hear);
      return () => listeners.delete(hear);
    },
    close: listener.close,
  };
};
export type Notices = ReturnType<typeof openNotices>;
