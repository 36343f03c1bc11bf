import type { AccountId } from '../../contract/accounts.ts';
import { listenTo } from '../postgres/index.ts';
import { WEBHOOKS_CHANNEL } from './endpoint-store.ts';

export interface Notice {
  /** An account has something to be told, or its endpoint changed. */
  kind: 'event' | 'endpoint';
  accountId: AccountId;
}

export interface NoticesOptions {
  url: string;
  /** The connection is up: nothing that is said from now on is missed. */
  onReady?: () => void;
  /** The connection broke. */
  onAway?: (error: Error) => void;
}

/** What the processes of an installation say to each other about webhooks; one connection a process. */
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
    /** Answers how to hear no more. */
    hear: (hear: (notice: Notice) => void): (() => void) => {
      listeners.add(hear);
      return () => listeners.delete(hear);
    },
    close: listener.close,
  };
};
export type Notices = ReturnType<typeof openNotices>;
