import type { Reply } from '../../../contract/calls.ts';
import { ACCOUNT_ID, AT, id, type Replies } from './reply.ts';

const quote = (price: number): Reply<'POST /:channel/quote'> => ({
  phone: '',
  segments: 1,
  encoding: 'GSM',
  unitPrice: 0.032051,
  price,
  balanceAfter: 12.5 - price,
  test: false,
});

export const UPLOAD_ID = id(8);

/** A file of two rows: one is valid. */
const upload: Reply<'GET /uploads/:uploadId'> = {
  _id: UPLOAD_ID as Reply<'GET /uploads/:uploadId'>['_id'],
  channel: 'sms',
  state: 'READY',
  batchId: null,
  repeated: false,
  test: false,
  fileName: 'people.csv',
  header: true,
  columns: ['phone', 'name'],
  rows: 2,
  accepted: 1,
  refused: 1,
  duplicates: 0,
  optedOut: 0,
  reasons: [{ code: 'E_PHONE_INVALID', message: 'Not a number.', count: 1 }],
  refusals: [{ row: 3, column: 'phone', code: 'E_PHONE_INVALID', message: 'Not a number.' }],
  sample: { phone: '+85261112222', message: 'Hello Amber!' },
  segments: 1,
  price: 0.032051,
  currency: 'USD',
  balance: 12.5,
  balanceAfter: 12.467949,
  expectedSeconds: 1,
  createdAt: AT,
};

type Batch = Reply<'GET /batches/:batchId'>;

export const BATCH_ID = id(7);

const batch: Batch = {
  _id: BATCH_ID as Batch['_id'],
  accountId: ACCOUNT_ID,
  email: null,
  channel: 'sms',
  kind: 'CSV',
  fileName: 'people.csv',
  byPage: true,
  test: false,
  createdAt: AT,
  sendAt: null,
  cancelledAt: null,
  total: 2,
  price: 0.064102,
  cost: 0.032051,
  counts: { PENDING: 0, SUCCESS: 1, FAILED: 1, FAILED_WITH_EXCEPTION: 0, CANCELLED: 0 },
  delivered: 1,
  countedAt: AT,
  secondsLeft: null,
};

type Sender = Reply<'GET /account/:accountId/senders'>['senders'][number];

const sender = (n: number, part: Partial<Sender>): Sender => ({
  _id: String(n),
  channel: 'email',
  kind: 'address',
  sender: 'news@example.com',
  verified: true,
  given: false,
  createdAt: AT,
  record: null,
  ...part,
});

export const EMPTY_SENDING: Replies = {
  'GET /admin/senders': { senders: [], more: false },
  'GET /account/:accountId/batches': { batches: [], total: 0 },
  'GET /account/:accountId/contacts/page': { contacts: [], next: null },
  'GET /account/:accountId/optOuts': { optOuts: [], more: false, total: 0 },
  'GET /account/:accountId/senders': { senders: [] },
  'POST /:channel/quote': quote(0),
};

export const FULL_SENDING: Replies = {
  'GET /account/:accountId/senders': {
    senders: [
      sender(1, { channel: 'sms', kind: 'number', sender: '+85261110000', given: true }),
      sender(2, { verified: false }),
      sender(3, {
        kind: 'domain',
        sender: 'example.com',
        verified: false,
        record: { name: '_posthorn.example.com', value: 'posthorn=abc' },
      }),
    ],
  },
  'POST /:channel/quote': quote(0.032051),
  'GET /uploads/:uploadId': upload,
  'GET /batches/:batchId': batch,
  'GET /account/:accountId/batches': {
    batches: [batch],
    total: 1,
  },
  'GET /account/:accountId/contacts/page': {
    contacts: [
      {
        _id: '1',
        phone: '+85261112222',
        channel: 'sms',
        name: 'Ann',
        notes: 'prefers mornings',
        lastMessageAt: AT,
        optedOut: ['sms'],
      },
    ],
    next: '1_1',
  },
  'GET /account/:accountId/optOuts': {
    optOuts: [
      {
        _id: '1',
        channel: 'sms',
        phone: '+85261113333',
        contactName: 'Wong',
        since: AT,
        source: 'REPLY',
        note: 'wrote back',
      },
    ],
    more: false,
    total: 1,
  },
};
