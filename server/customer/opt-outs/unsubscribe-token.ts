import { createHmac, timingSafeEqual } from 'node:crypto';
import { type AccountId, accountParams } from '../../../contract/customer/accounts.ts';
import { CHANNELS, type Channel } from '../../../contract/ground/channels.ts';

/** Who no longer wants messages, and from whom. */
interface Unsubscribing {
  accountId: AccountId;
  channel: Channel;
  recipient: string;
}

/** Half of a SHA-256: impossible to guess, and the link stays short. */
const MAC_BYTES = 16;
/** Of 254 characters of an address, in UTF-8 and base64url, with room for the rest. */
const MAX_LENGTH = 2_000;
/** The key encrypts other things too: a token must not be mistaken for any of them. */
const PURPOSE = 'posthorn unsubscribe 1\n';

const macOf = (key: Buffer, payload: string): Buffer =>
  createHmac('sha256', key).update(PURPOSE).update(payload).digest().subarray(0, MAC_BYTES);

/** For a link that works without signing in and forever: it names the one thing that it may do. */
export const makeUnsubscribeToken = (
  key: Buffer,
  { accountId, channel, recipient }: Unsubscribing,
): string => {
  const payload = Buffer.from(JSON.stringify([accountId, channel, recipient])).toString('base64url');
  return `${payload}.${macOf(key, payload).toString('base64url')}`;
};

const readPayload = (payload: string): Unsubscribing | undefined => {
  const [id, channel, recipient]: unknown[] = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const account = accountParams.shape.accountId.safeParse(id);
  const known = CHANNELS.find((name) => name === channel);
  if (!account.success || !known || typeof recipient !== 'string') return undefined;
  return { accountId: account.data, channel: known, recipient };
};

/** Undefined unless the token was made with this key. */
export const readUnsubscribeToken = (key: Buffer, token: string): Unsubscribing | undefined => {
  const parts = /^([\w-]+)\.([\w-]+)$/.exec(token);
  if (token.length > MAX_LENGTH || parts?.[1] === undefined || parts[2] === undefined) return undefined;
  const mac = Buffer.from(parts[2], 'base64url');
  if (mac.length !== MAC_BYTES || !timingSafeEqual(mac, macOf(key, parts[1]))) return undefined;
  return readPayload(parts[1]);
};
