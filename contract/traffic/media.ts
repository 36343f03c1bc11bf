import { z } from 'zod';
import { accountParams } from '../customer/accounts.ts';
import { defineCalls } from '../ground/call.ts';
import { messageId } from './messages.ts';

const mediaId = z.uuid().brand<'MediaId'>();
export type MediaId = z.infer<typeof mediaId>;
export const MEDIA_STATES = ['WAITING', 'STORED', 'FAILED', 'REMOVED'] as const;
export type MediaState = (typeof MEDIA_STATES)[number];

export const mediaParams = accountParams.extend({ mediaId });

const media = z.strictObject({
  _id: mediaId,
  kind: z.enum(['image', 'video', 'audio', 'file', 'sticker']),
  mimeType: z.string(),
  fileName: z.string(),
  bytes: z.int().nullable(),
  state: z.enum(MEDIA_STATES).meta({
    description: 'WAITING until it is fetched, then STORED or FAILED; REMOVED after 60 days.',
  }),
  reason: z.string().meta({ description: 'Why it could not be fetched.' }),
});

export const mediaCalls = defineCalls({
  'GET /account/:accountId/messages/:messageId/whatsapp': {
    summary: 'What a WhatsApp message is besides its text, and what came with it',
    params: accountParams.extend({ messageId }),
    reply: z.strictObject({
      _id: messageId,
      waMessageId: z.string().nullable().meta({ description: "WhatsApp's own id of it." }),
      WABA: z.string().meta({ description: 'The WhatsApp Business Account that it went through.' }),
      session: z
        .boolean()
        .meta({ description: 'Whether the customer had written within the 24 hours before.' }),
      sessionSince: z.iso.datetime().nullable(),
      readAt: z.iso.datetime().nullable(),
      templateName: z.string().nullable(),
      image: z.string().nullable(),
      file: z.string().nullable(),
      fileName: z.string().nullable(),
      video: z.string().nullable(),
      quotedMessage: z.string().nullable(),
      content: z.record(z.string(), z.unknown()).meta({ description: 'All of it, as it is kept.' }),
      media: z.array(media),
    }),
  },
});
