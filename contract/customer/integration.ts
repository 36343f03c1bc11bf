import { z } from 'zod';
import { defineCalls } from '../ground/call.ts';
import { CHANNELS } from '../ground/channels.ts';
import { accountParams } from './accounts.ts';

/** How long a replaced secret keeps working. */
export const SECRET_OVERLAP_HOURS = 24;
/** How long a call can be looked up. */
export const API_CALLS_HOURS = 24;

const oldSecretId = z.uuid().brand<'OldSecretId'>();
export type OldSecretId = z.infer<typeof oldSecretId>;

const oldSecret = z.strictObject({
  _id: oldSecretId,
  test: z.boolean(),
  hint: z.string().meta({ description: 'Its last characters.' }),
  endsAt: z.iso.datetime(),
});

export const CALL_OUTCOMES = ['SUCCEEDED', 'REFUSED', 'FAILED'] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

/** The pack that holds the entry, and its position in it. */
const apiCallId = z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.\d{1,4}$/);

const apiCall = z.strictObject({
  _id: apiCallId,
  at: z.iso.datetime(),
  method: z.string(),
  path: z.string(),
  channel: z.enum(CHANNELS).nullable(),
  test: z.boolean().meta({ description: 'Whether it was made with the test secret.' }),
  status: z.int(),
  code: z.string().nullable().meta({ description: 'The error code, where it was refused or failed.' }),
  durationMs: z.number(),
  requestId: z.string(),
  answer: z.unknown().meta({
    description: 'The JSON answered, numbers and texts masked; null where it was a file or too long.',
  }),
});
export type ApiCall = z.infer<typeof apiCall>;

const message = z.strictObject({ message: z.string() });

export const integrationCalls = defineCalls({
  'GET /account/:accountId/apiInfo': {
    summary: 'API secret and sample code',
    params: accountParams,
    reply: z.strictObject({
      masked: z.boolean().meta({
        description:
          'Whether the secrets show their last characters only: until the password was typed in this session a short while ago, by signing in or by confirmPassword.',
      }),
      secret: z.string(),
      testSecret: z.string().meta({ description: 'Sends through the simulator instead, and costs nothing.' }),
      codes: z.record(z.string(), z.string()).meta({
        description:
          'Programs that send a message, by language name. Readers drop the last name of the list, so the last entry is one to be dropped: its name is empty.',
      }),
      manyCodes: z.record(z.string(), z.string()).meta({
        description: 'Programs that send many messages by one call, by the same language names.',
      }),
      webhookCodes: z.record(z.string(), z.string()).meta({
        description:
          'Programs that verify a webhook, by the same language names; here none is to be dropped.',
      }),
      oldSecrets: z
        .array(oldSecret)
        .meta({ description: 'Secrets that were replaced and still work, the newest first.' }),
    }),
  },
  'POST /account/:accountId/secret/rotate': {
    summary: `Replace the API secret or the test secret; the old one works for ${SECRET_OVERLAP_HOURS} hours more`,
    params: accountParams,
    body: z.strictObject({ test: z.boolean() }),
    reply: message,
  },
  'DELETE /account/:accountId/oldSecrets/:oldSecretId': {
    summary: 'End a replaced secret now; within seconds it stops working',
    params: accountParams.extend({ oldSecretId }),
    reply: message,
  },
  'GET /account/:accountId/apiCalls': {
    summary: `Calls made with a secret in the last ${API_CALLS_HOURS} hours, newest first`,
    params: accountParams,
    query: z.strictObject({
      outcome: z
        .enum(CALL_OUTCOMES)
        .optional()
        .meta({ description: 'SUCCEEDED: status 2xx; REFUSED: 4xx; FAILED: 5xx.' }),
      before: apiCallId.optional().meta({ description: 'The _id of the last call seen.' }),
      limit: z.coerce.number().int().min(1).max(200).optional(),
    }),
    reply: z.strictObject({
      calls: z.array(apiCall),
      more: z.boolean(),
      total: z.int().meta({ description: 'Of all that the filter lets through.' }),
    }),
  },
});
