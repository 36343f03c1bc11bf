import type { OptOut, OptOutId } from '../../../contract/customer/opt-outs.ts';
import type { OptOutRow } from './store.ts';

export const viewOptOut = (
  { id, channel, recipient, since, source, note }: OptOutRow,
  contactName: string,
): OptOut => ({
  _id: String(id) as OptOutId,
  channel,
  phone: recipient,
  contactName,
  since: since.toISOString(),
  source,
  note,
});
