import type { BULK_ACTIONS } from '../../contract/office/bulk-actions.ts';
import type { LANE_MODES } from '../../contract/traffic/lanes.ts';
import type { WAITING_REASONS } from '../../contract/traffic/message-details.ts';
import type { MESSAGE_STATUSES } from '../../contract/traffic/message-values.ts';
import type { WRITES } from './writes.ts';

/** What the contract's own lists do not tell apart. */
export const OTHER_STATES = [
  'waits for its release: its time has come',
  'held: its account is suspended',
  'given back by a worker',
  'at an agent',
  'waits, sent with the test secret',
  'accepted and delivered',
  'accepted and read',
  'failed by an unproven bounce',
  'incoming',
] as const;

/** Every state: what it waits for, what it ended as, in which kind of lane it waits, and the above. */
export type MessageState =
  | `waits: ${(typeof WAITING_REASONS)[number]}`
  | `ended: ${Exclude<(typeof MESSAGE_STATUSES)[number], 'PENDING'>}`
  | `waits in a lane that is ${Exclude<(typeof LANE_MODES)[number], 'on'>}`
  | (typeof OTHER_STATES)[number];

/** Every write of admins and customers on a message; a bulk action counts once for each thing that it can do. */
export type MessageAction =
  | Exclude<(typeof WRITES)['message'][number], 'POST /admin/bulkActions'>
  | `POST /admin/bulkActions ${(typeof BULK_ACTIONS)[number]}`;

/**
 * What comes of it: a code: refused, and nothing changes. A status: it has that one now, and is paid for or refunded
 * by it. 'moves': it waits in another
 * lane. 'stays': it is done, and changes nothing of this message. 'asks': the carrier is asked.
 */
export type Cell = `E_${string}` | 'SUCCESS' | 'FAILED' | 'CANCELLED' | 'moves' | 'stays' | 'asks';
export type Row = Record<MessageAction, Cell>;

/** Nothing of it was sent: it is moved, decided and withdrawn. */
const WAITS: Row = {
  'POST /messages/:messageId/cancel': 'CANCELLED',
  'POST /batches/:batchId/cancel': 'CANCELLED',
  'POST /batches/:batchId/resend': 'E_NONE_FAILED',
  'POST /message/:jobId/success': 'SUCCESS',
  'POST /message/:jobId/failed': 'FAILED',
  'POST /job/:jobId/transfer': 'moves',
  'POST /admin/bulkActions SUCCESS': 'SUCCESS',
  'POST /admin/bulkActions FAILED': 'FAILED',
  'POST /admin/bulkActions TRANSFER': 'moves',
  'POST /admin/inDoubt/ask': 'stays',
};
const NOT_MOVED = {
  'POST /job/:jobId/transfer': 'E_NOT_TRANSFERRED',
  'POST /admin/bulkActions TRANSFER': 'E_NOT_TRANSFERRED',
} as const;
/** It is nowhere yet: routing chooses when its time has come. */
const BEFORE_ITS_TIME: Row = { ...WAITS, ...NOT_MOVED };
/** It may go out at any moment, for seconds; or it was handed over. */
const IN_HAND: Row = {
  ...WAITS,
  ...NOT_MOVED,
  'POST /messages/:messageId/cancel': 'E_NOT_WAITING',
  'POST /batches/:batchId/cancel': 'stays',
  'POST /message/:jobId/success': 'E_BEING_SENT',
  'POST /message/:jobId/failed': 'E_BEING_SENT',
  'POST /admin/bulkActions SUCCESS': 'E_BEING_SENT',
  'POST /admin/bulkActions FAILED': 'E_BEING_SENT',
};
/** It may have been sent: only an admin decides, and it is never sent again. */
const IN_DOUBT: Row = {
  ...WAITS,
  ...NOT_MOVED,
  'POST /messages/:messageId/cancel': 'E_NOT_WAITING',
  'POST /batches/:batchId/cancel': 'stays',
  'POST /admin/inDoubt/ask': 'asks',
};
const ENDED: Row = {
  ...WAITS,
  ...NOT_MOVED,
  'POST /messages/:messageId/cancel': 'E_NOT_WAITING',
  'POST /batches/:batchId/cancel': 'stays',
};
const SUCCESS: Row = {
  ...ENDED,
  'POST /message/:jobId/success': 'stays',
  'POST /admin/bulkActions SUCCESS': 'stays',
};
/** Not refunded: nobody vouches for it. */
const BOUNCED: Row = { ...ENDED, 'POST /batches/:batchId/resend': 'stays' };
const FAILED: Row = {
  ...BOUNCED,
  'POST /message/:jobId/failed': 'stays',
  'POST /admin/bulkActions FAILED': 'stays',
};
/** A device's messages go by that device, or by nobody: they are moved when it is deleted. */
const IN_A_DEVICE: Row = { ...WAITS, ...NOT_MOVED };
const NO_MESSAGE = 'E_NOT_FOUND';

export const MESSAGE_TABLE: Record<MessageState, Row> = {
  'waits: SCHEDULED': BEFORE_ITS_TIME,
  'waits: QUEUED': WAITS,
  'waits: IN_HAND': IN_HAND,
  'waits: PUT_OFF': WAITS,
  'waits: LANE_DOWN': WAITS,
  'waits: UNKNOWN': IN_DOUBT,
  'waits: DEVICE_STOPPED': IN_A_DEVICE,
  'waits: DEVICE_PENDING': IN_A_DEVICE,
  'waits: DEVICE_WARM_UP': IN_A_DEVICE,
  'waits: DEVICE_DAY': IN_A_DEVICE,
  'waits: DEVICE_NEW_CONTACTS': IN_A_DEVICE,
  'waits: DEVICE_QUIET_HOURS': IN_A_DEVICE,
  'waits: DEVICE_WARNED': IN_A_DEVICE,
  'waits in a lane that is paused': WAITS,
  'waits in a lane that is draining': WAITS,
  'waits in a lane that is removed': WAITS,
  'waits for its release: its time has come': BEFORE_ITS_TIME,
  'held: its account is suspended': WAITS,
  'given back by a worker': WAITS,
  'at an agent': IN_HAND,
  // It was sent alone, and by no file.
  'waits, sent with the test secret': { ...WAITS, 'POST /batches/:batchId/resend': 'E_NOT_FOUND' },
  'ended: SUCCESS': SUCCESS,
  'accepted and delivered': SUCCESS,
  'accepted and read': SUCCESS,
  'ended: FAILED': FAILED,
  'failed by an unproven bounce': BOUNCED,
  'ended: FAILED_WITH_EXCEPTION': IN_DOUBT,
  'ended: CANCELLED': {
    ...ENDED,
    // A repeat is no fault, and refunds nothing.
    'POST /messages/:messageId/cancel': 'stays',
    'POST /message/:jobId/success': 'E_MESSAGE_CANCELLED',
    'POST /message/:jobId/failed': 'E_MESSAGE_CANCELLED',
    'POST /admin/bulkActions SUCCESS': 'E_MESSAGE_CANCELLED',
    'POST /admin/bulkActions FAILED': 'E_MESSAGE_CANCELLED',
  },
  incoming: {
    ...ENDED,
    ...NOT_MOVED,
    'POST /messages/:messageId/cancel': NO_MESSAGE,
    'POST /batches/:batchId/cancel': NO_MESSAGE,
    'POST /batches/:batchId/resend': NO_MESSAGE,
    'POST /message/:jobId/success': NO_MESSAGE,
    'POST /message/:jobId/failed': NO_MESSAGE,
    'POST /admin/bulkActions SUCCESS': NO_MESSAGE,
    'POST /admin/bulkActions FAILED': NO_MESSAGE,
  },
};
