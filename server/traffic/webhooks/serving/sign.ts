import { createHmac, randomBytes } from 'node:crypto';
import type { EventId } from '../../../../contract/traffic/webhooks.ts';

const PREFIX = 'whsec_';
/** Standard Webhooks requires 24 to 64. */
const SECRET_BYTES = 32;

export const newSigningSecret = (): string => `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;

/** As the receiver sees it; its prefix says what it is. */
export const webhookIdOf = (id: EventId): string => `evt_${id}`;

interface Signed {
  webhookId: string;
  /** Seconds since 1970. */
  timestamp: number;
  body: string;
  /**
   * The current secret, and the previous one while it is valid: each makes a signature, and one that matches is enough.
   */
  secrets: string[];
}

/** The headers of https://www.standardwebhooks.com, version 1: HMAC-SHA256 of the id, the time and the body. */
export const signatureHeaders = ({ webhookId, timestamp, body, secrets }: Signed) => ({
  'webhook-id': webhookId,
  'webhook-timestamp': String(timestamp),
  'webhook-signature': secrets
    .map((secret) => Buffer.from(secret.slice(PREFIX.length), 'base64'))
    .map((key) => createHmac('sha256', key).update(`${webhookId}.${timestamp}.${body}`).digest('base64'))
    .map((signature) => `v1,${signature}`)
    .join(' '),
});
