import { z } from 'zod';
import { GraphRefusal } from './graph-api-errors.ts';

const link = z.url({ protocol: /^https?$/ }).max(2_000);
const caption = z.string().min(1).max(1_024).optional();

/** By link or by id, never both. */
const media = <Rest extends z.ZodRawShape>(rest: Rest) =>
  z
    .strictObject({ link: link.optional(), id: z.string().min(1).optional(), ...rest })
    .refine((given) => 'link' in given !== 'id' in given, {
      error: 'must have one of id and link',
    });

const textParameter = z.strictObject({
  type: z.literal('text'),
  parameter_name: z.string().min(1).optional(),
  text: z.string().min(1),
});
const mediaParameter = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('image'), image: media({}) }),
  z.strictObject({ type: z.literal('video'), video: media({}) }),
  z.strictObject({
    type: z.literal('document'),
    document: media({ filename: z.string().min(1).optional() }),
  }),
]);
const component = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('header'),
    parameters: z.array(z.union([textParameter, mediaParameter])).min(1),
  }),
  z.strictObject({ type: z.literal('body'), parameters: z.array(textParameter).min(1) }),
  z.strictObject({
    type: z.literal('button'),
    sub_type: z.enum(['url', 'quick_reply', 'copy_code']),
    index: z.string().regex(/^\d$/),
    parameters: z
      .array(
        z.union([
          textParameter,
          z.strictObject({ type: z.literal('payload'), payload: z.string().min(1) }),
          z.strictObject({ type: z.literal('coupon_code'), coupon_code: z.string().min(1).max(15) }),
        ]),
      )
      .length(1),
  }),
]);
export type Component = z.infer<typeof component>;

const BODIES = {
  text: z.strictObject({ body: z.string().min(1).max(4_096), preview_url: z.boolean().optional() }),
  image: media({ caption }),
  video: media({ caption }),
  audio: media({}),
  sticker: media({}),
  document: media({ caption, filename: z.string().min(1).optional() }),
  template: z.strictObject({
    name: z.string().min(1).max(512),
    language: z.strictObject({ code: z.string().min(2), policy: z.literal('deterministic').optional() }),
    components: z.array(component).optional(),
  }),
};
type BodyType = keyof typeof BODIES;

const envelope = {
  messaging_product: z.literal('whatsapp'),
  recipient_type: z.literal('individual').optional(),
  /** Digits, with a plus sign or without. */
  to: z.string().regex(/^\+?\d{7,15}$/),
  type: z.enum(Object.keys(BODIES) as [BodyType, ...BodyType[]]).default('text'),
  context: z.strictObject({ message_id: z.string().min(1) }).optional(),
  biz_opaque_callback_data: z.string().max(512).optional(),
};

export interface SentMessage {
  to: string;
  type: BodyType;
  context?: { message_id: string } | undefined;
  biz_opaque_callback_data?: string | undefined;
  text?: z.infer<(typeof BODIES)['text']>;
  image?: z.infer<(typeof BODIES)['image']>;
  video?: z.infer<(typeof BODIES)['video']>;
  document?: z.infer<(typeof BODIES)['document']>;
  template?: z.infer<(typeof BODIES)['template']>;
}

/** Which code Meta gives: something is missing, a value is wrong, or a field is unknown. */
const refuse = (error: z.ZodError): never => {
  const [issue] = error.issues;
  const path = issue?.path.join('.') || 'the request';
  if (issue?.code === 'unrecognized_keys')
    throw new GraphRefusal(100, `Unexpected key "${issue.keys[0]}" on param "${path}".`);
  if (issue?.code === 'invalid_type' && issue.message.includes('received undefined'))
    throw new GraphRefusal(path === 'messaging_product' ? 100 : 131008, `The parameter ${path} is required.`);
  if (issue?.path[0] === 'messaging_product')
    throw new GraphRefusal(100, 'The parameter messaging_product is required.');
  throw new GraphRefusal(131009, `Parameter value is not valid: ${path}: ${issue?.message}`);
};

/** Parses a request to send by the documented schema, or refuses it. */
export const readMessage = (body: unknown): SentMessage => {
  if (typeof body !== 'object' || body === null) throw new GraphRefusal(100, 'The body is no JSON object.');
  const type = 'type' in body ? String(body.type) : 'text';
  if (!(type in BODIES)) throw new GraphRefusal(131009, `Parameter value is not valid: type: ${type}`);
  const read = z.strictObject({ ...envelope, [type]: BODIES[type as BodyType] }).safeParse(body);
  if (!read.success) return refuse(read.error);
  return read.data as unknown as SentMessage;
};
