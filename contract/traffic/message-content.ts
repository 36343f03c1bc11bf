import { z } from 'zod';

/** WhatsApp fetches the file itself, so its address must be public. */
const mediaUrl = z.url({ protocol: /^https$/, hostname: z.regexes.domain }).max(2_000);
const fileName = z
  .string()
  .min(1)
  .max(240)
  .regex(/^[^\p{Cc}/\\]+$/u, 'must be a name without path');

/** A rule of the Cloud API: "text parameters can't have line breaks, tabs or more than four spaces in a row". */
const parameter = z
  .string()
  .min(1)
  .max(1_024)
  .refine((text) => !/[\n\r\t]| {5}/.test(text), {
    error: 'must not have line breaks, tabs or more than four spaces in a row',
  });

/** A message template that WhatsApp has approved. Only a template may start a conversation. */
const template = z.strictObject({
  name: z
    .string()
    .max(512)
    .regex(/^[a-z0-9_]+$/, 'must be lower-case letters, digits and underscores'),
  language: z
    .string()
    .regex(/^[a-z]{2,3}(_[A-Z]{2,3})?$/, 'must be a code such as en_US or zh_HK')
    .meta({ description: 'As the template was approved, such as en_US or zh_HK.' }),
  parameters: z
    .union([z.array(parameter).max(50), z.record(z.string().regex(/^[a-z0-9_]{1,60}$/), parameter)])
    .optional()
    .meta({ description: 'What fills {{1}}, {{2}} … of the body in their order, or by name.' }),
  header: z
    .strictObject({
      text: parameter.optional(),
      image: mediaUrl.optional(),
      video: mediaUrl.optional(),
      file: mediaUrl.optional(),
      fileName: fileName.optional(),
    })
    .optional()
    .meta({ description: 'One of text, image, video and file, as the template has it.' }),
  buttons: z
    .array(
      z.strictObject({
        index: z.int().min(0).max(9),
        type: z.enum(['url', 'quick_reply', 'copy_code']),
        value: z.string().min(1).max(2_000),
      }),
    )
    .max(10)
    .optional(),
});
export type Template = z.infer<typeof template>;

/** The parts that a WhatsApp message may have besides its text. */
export const whatsappFields = {
  template: template.optional().meta({ description: 'WhatsApp only; without a message beside it.' }),
  image: mediaUrl
    .optional()
    .meta({ description: 'WhatsApp only: an https address; the message is its caption.' }),
  file: mediaUrl
    .optional()
    .meta({ description: 'WhatsApp only: an https address; the message is its caption.' }),
  video: mediaUrl
    .optional()
    .meta({ description: 'WhatsApp only: an https address; the message is its caption.' }),
  fileName: fileName.optional().meta({ description: 'How the recipient sees the file.' }),
  quotedMessage: z.string().min(1).max(300).optional().meta({
    description: 'WhatsApp only: the id, or the waMessageId, of the message that this one answers.',
  }),
};

/** A file that came with an incoming message. */
export interface InboundMedia {
  /** The provider's id of the file; our own once it is stored. */
  id: string;
  kind: 'image' | 'video' | 'audio' | 'file' | 'sticker';
  mimeType: string;
  fileName: string;
}

/** The parts of a message besides its text, as they are stored. */
export interface MessageContent {
  template?: Template | undefined;
  image?: string | undefined;
  file?: string | undefined;
  video?: string | undefined;
  fileName?: string | undefined;
  /** The carrier's id of the message that this one replies to. */
  quotedMessage?: string | undefined;
  /** When the session in which the message was accepted began, as an ISO date. */
  sessionSince?: string | undefined;
  /** The kind of an incoming message; absent for one that is only text. */
  kind?: string | undefined;
  media?: InboundMedia | undefined;
  senderName?: string | undefined;
  location?: { latitude: number; longitude: number; name: string; address: string } | undefined;
  contacts?: { name: string; phones: string[] }[] | undefined;
  /** The message that the reaction is to; an empty emoji removes an earlier reaction. */
  reaction?: { to: string; emoji: string } | undefined;
  /** The payload of a button or a list entry. */
  payload?: string | undefined;
}
