import { z } from 'zod';
import { defineCalls } from '../ground/call.ts';
import { CHANNELS } from '../ground/channels.ts';
import { ERROR_CODES } from '../ground/errors.ts';
import { accountParams } from './accounts.ts';

export const OPT_OUT_SOURCES = ['REPLY', 'LINK', 'IMPORT', 'MANUAL'] as const;
export type OptOutSource = (typeof OPT_OUT_SOURCES)[number];

const optOutId = z
  .string()
  .regex(/^[1-9]\d{0,17}$/)
  .brand<'OptOutId'>();
export type OptOutId = z.infer<typeof optOutId>;

export const NOTE_MAX_LENGTH = 500;

const optOut = z.strictObject({
  _id: optOutId,
  channel: z.enum(CHANNELS),
  phone: z.string().meta({ description: 'E.164, or the email address in small letters.' }),
  contactName: z.string().meta({ description: 'What the account calls them; empty without a name.' }),
  since: z.iso.datetime(),
  source: z
    .enum(OPT_OUT_SOURCES)
    .meta({ description: 'A STOP reply, the link in an email, an imported file, or entered by hand.' }),
  note: z.string(),
});
export type OptOut = z.infer<typeof optOut>;

export const optOutFilter = z.strictObject({
  keyword: z.string().max(320).optional().meta({ description: 'Part of the number, address or note.' }),
  channel: z.enum(CHANNELS).optional(),
});
export type OptOutFilter = z.infer<typeof optOutFilter>;

/** The result of importing a file of opt-outs or contacts. */
export const imported = z.strictObject({
  message: z.string(),
  rows: z.int(),
  added: z.int(),
  known: z.int().meta({ description: 'Rows about somebody who was in the list already.' }),
  refused: z.int(),
  refusals: z
    .array(
      z.strictObject({
        row: z.int().meta({ description: 'As a spreadsheet counts: the first row of the file is 1.' }),
        column: z.string(),
        code: z.enum(ERROR_CODES),
        message: z.string(),
      }),
    )
    .meta({ description: 'The first 100.' }),
});
export type Imported = z.infer<typeof imported>;

/** The form fields that are sent with the file, in any order. */
export const optOutImportFields = z.strictObject({
  channel: z
    .enum(CHANNELS)
    .optional()
    .meta({ description: 'Of rows that name none; sms, or email for an address, if not given.' }),
  countryCode: z.string().max(6).optional(),
});
export type OptOutImportFields = z.infer<typeof optOutImportFields>;

export const optOutCalls = defineCalls({
  'GET /account/:accountId/optOuts': {
    summary: 'Who no longer wants messages, newest first',
    params: accountParams,
    query: optOutFilter.extend({
      before: optOutId.optional().meta({ description: 'The last one of the page before.' }),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    reply: z.strictObject({
      optOuts: z.array(optOut),
      more: z.boolean(),
      total: z.int().meta({ description: 'All that the filter lets through.' }),
    }),
  },
  'POST /account/:accountId/optOuts': {
    summary: 'Opt a recipient out; one who is opted out stays so',
    params: accountParams,
    body: z.strictObject({
      channel: z.enum(CHANNELS),
      phone: z.string().max(320),
      countryCode: z.string().max(6).optional(),
      note: z.string().max(NOTE_MAX_LENGTH).optional(),
    }),
    reply: z.strictObject({ message: z.string(), optOut }),
  },
  'DELETE /account/:accountId/optOuts/:optOutId': {
    summary: 'Let a recipient be written to again',
    params: accountParams.extend({ optOutId }),
    reply: z.strictObject({ message: z.string() }),
  },
});
