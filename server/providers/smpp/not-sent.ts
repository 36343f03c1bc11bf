import type { SmppRefusal } from './codec/statuses.ts';

const notSent = (code: string, reason: string): SmppRefusal => ({
  outcome: 'refused',
  code,
  reason,
  retryable: true,
});
export const AWAY = notSent('NOT_CONNECTED', 'There is no connection to the message centre.');
export const BUSY = notSent('BUSY', 'There was no room in the window for too long.');
