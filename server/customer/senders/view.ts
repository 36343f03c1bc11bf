import type { SenderView } from '../../../contract/customer/senders.ts';
import { verificationRecord } from './code.ts';
import type { SenderRow } from './store.ts';

export const viewForAdmin = ({
  id,
  accountId,
  channel,
  kind,
  sender,
  given,
  verifiedAt,
  createdAt,
}: SenderRow) => ({
  _id: id,
  accountId,
  channel,
  kind,
  sender,
  verified: verifiedAt !== null,
  given,
  createdAt: createdAt.toISOString(),
});

export const viewSender = (secretKey: Buffer, row: SenderRow): SenderView => {
  const { accountId, ...view } = viewForAdmin(row);
  const record =
    row.kind === 'domain' ? verificationRecord(secretKey, { accountId, domain: row.sender }) : null;
  return { ...view, record };
};
