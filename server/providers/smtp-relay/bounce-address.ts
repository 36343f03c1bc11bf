import { createHmac, timingSafeEqual } from 'node:crypto';
import type { MessageId } from '../../../contract/traffic/messages.ts';

/** Where bounces arrive, and the key that distinguishes our addresses from invented ones. */
export interface BounceKey {
  domain: string;
  key: Buffer;
}

const PREFIX = 'bounce+';
/** Long enough that nobody can guess one: bounced messages are refunded, and senders know their ids. */
const MAC_BYTES = 8;
const LOCAL = /^bounce\+([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})\.([0-9a-f]{16})$/i;

const macOf = (key: Buffer, id: string): Buffer =>
  createHmac('sha256', key).update('posthorn bounce 1\n').update(id).digest().subarray(0, MAC_BYTES);

/** The envelope sender: a different one for each message, so that any answer identifies its message. */
export const bounceAddress = ({ domain, key }: BounceKey, id: MessageId): string =>
  `${PREFIX}${id.replaceAll('-', '')}.${macOf(key, id).toString('hex')}@${domain}`;

/** Whose bounce this is; undefined for any address that is not one of ours. */
export const readBounceAddress = ({ domain, key }: BounceKey, address: string): MessageId | undefined => {
  const at = address.lastIndexOf('@');
  const found = LOCAL.exec(address.slice(0, at));
  if (!found || address.slice(at + 1).toLowerCase() !== domain.toLowerCase()) return undefined;
  const id = found.slice(1, 6).join('-').toLowerCase();
  return timingSafeEqual(Buffer.from(found[6] ?? '', 'hex'), macOf(key, id)) ? (id as MessageId) : undefined;
};
