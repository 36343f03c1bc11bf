import { z } from 'zod';
import { defineCalls } from '../ground/call.ts';
import { messageId } from '../traffic/messages.ts';
import { INVALID_CONTACT, VERDICTS } from '../traffic/verdicts.ts';

export const failure = {
  reason: z
    .string()
    .max(500)
    .default(INVALID_CONTACT.reason)
    .meta({ description: 'Why it failed, for the customer.' }),
  errorCode: z.string().max(100).default(INVALID_CONTACT.errorCode),
};

const job = z.strictObject({ jobId: messageId });
const reply = z.strictObject({
  _id: messageId,
  status: z.enum(VERDICTS),
  changed: z.boolean().meta({ description: 'False if it had this status before.' }),
});

export const resolvingCalls = defineCalls({
  'POST /message/:jobId/success': {
    summary: 'Decide that a message was sent; one that was refunded is charged again (admin)',
    params: job,
    body: z.strictObject({ reason: z.string().max(500).optional() }).default({}),
    reply,
  },
  'POST /message/:jobId/failed': {
    summary: 'Decide that a message was not sent; it is refunded (admin)',
    params: job,
    body: z
      .strictObject({
        reason: failure.reason,
        errorCode: z
          .string()
          .max(100)
          .optional()
          .meta({ description: `${INVALID_CONTACT.errorCode} unless given.` }),
        code: z.string().max(100).optional().meta({ description: 'Another name of errorCode, which wins.' }),
      })
      .default({ reason: INVALID_CONTACT.reason }),
    reply,
  },
});
