import { z } from 'zod';
import { defineCalls } from '../ground/call.ts';
import { CHANNELS } from '../ground/channels.ts';

/**
 * Kinds of numbers that cost many times what others do. They are refused unless an admin has given them a price of
 * their own. 'satellite' are +870, +881, +882 and +883.
 */
export const NUMBER_RANGES = ['premium', 'shared-cost', 'universal', 'personal', 'satellite'] as const;
export type NumberRange = (typeof NUMBER_RANGES)[number];

const unitPrice = z
  .string()
  .regex(/^\d{1,4}(\.\d{1,6})?$/)
  // What costs nothing was sent with the test secret.
  .regex(/[1-9]/)
  .meta({ description: 'In US dollars a segment, WhatsApp message or email, such as 0.032051.' });

const destination = {
  channel: z.enum(CHANNELS),
  country: z
    .string()
    .regex(/^([A-Z]{2})?$/)
    .meta({ description: 'Two letters. Empty: email, or a range of no country such as satellite.' }),
  carrierName: z.string().max(100).meta({ description: 'Of the lane that it goes by; empty: any.' }),
  range: z
    .enum(['', ...NUMBER_RANGES])
    .meta({ description: 'Empty: ordinary numbers. Any other is refused while it has no price of its own.' }),
};

const price = z.strictObject({
  priceId: z.int().nullable().meta({ description: 'Null in a preview, of one that is not made yet.' }),
  ...destination,
  unitPrice: z.string(),
  validFrom: z.iso.datetime(),
  validUntil: z.iso.datetime().nullable().meta({ description: 'Null: until another is set.' }),
});
export type PriceView = z.infer<typeof price>;

const listed = price.extend({
  purchase: z
    .strictObject({ least: z.string(), most: z.string() })
    .nullable()
    .meta({ description: 'What a unit costs on the lanes that may carry it; null without one.' }),
});

const priceId = z.strictObject({ priceId: z.coerce.number().int().min(1).max(2_147_483_647) });
const moment = z.iso.datetime({ offset: true });
const preview = z.boolean().default(false).meta({ description: 'Only shows what would change.' });

const changes = z.strictObject({
  begins: price.nullable(),
  ends: z.array(price).meta({ description: 'Those that end earlier than before, with their new end.' }),
  drops: z.array(price).meta({ description: 'Those that had not begun, and never will.' }),
});
export type PriceChanges = z.infer<typeof changes>;

export const priceCalls = defineCalls({
  'GET /admin/prices': {
    summary: 'Prices by destination: in force and to come, and past ones if asked for (admin)',
    query: z.strictObject({
      channel: z.enum(CHANNELS).optional(),
      country: z
        .string()
        .regex(/^[A-Z]{2}$/)
        .optional(),
      past: z.enum(['true', 'false']).optional(),
    }),
    reply: z.strictObject({ prices: z.array(listed) }),
  },
  'POST /admin/prices': {
    summary: 'Set the price of a destination, from now or a later time on (admin)',
    body: z.strictObject({
      ...destination,
      country: destination.country.default(''),
      carrierName: destination.carrierName.default(''),
      range: destination.range.default(''),
      unitPrice,
      validFrom: moment.optional(),
      validUntil: moment.optional(),
      preview,
    }),
    reply: changes,
  },
  'POST /admin/prices/import': {
    summary: 'Set the prices of a CSV file, all or, if a row is refused, none (admin)',
    body: z.strictObject({
      csv: z.string().max(500_000).meta({ description: 'With the columns of the export, in any order.' }),
      preview,
    }),
    reply: z.strictObject({
      begins: z.array(price),
      ends: changes.shape.ends,
      drops: changes.shape.drops,
      unchanged: z.int().meta({ description: 'Rows that say what is so already.' }),
      refusals: z.array(z.strictObject({ row: z.int(), message: z.string() })),
      done: z.boolean(),
    }),
  },
  'POST /admin/prices/:priceId/end': {
    summary: 'End a price, now or at a later time: without another, its destination is refused then (admin)',
    params: priceId,
    body: z.strictObject({ validUntil: moment.optional(), preview }),
    reply: changes,
  },
});
