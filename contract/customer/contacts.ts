import { z } from 'zod';
import { defineCalls } from '../ground/call.ts';
import { CHANNELS } from '../ground/channels.ts';
import { accountParams } from './accounts.ts';

const contactId = z
  .string()
  .regex(/^[1-9]\d{0,17}$/)
  .brand<'ContactId'>();
export type ContactId = z.infer<typeof contactId>;

/** Where a page of the list ends: the time and the id of its last contact, as they were then. */
const contactPlace = z
  .string()
  .regex(/^\d{1,17}_[1-9]\d{0,17}$/)
  .brand<'ContactPlace'>();
export type ContactPlace = z.infer<typeof contactPlace>;

export const NAME_MAX_LENGTH = 200;
export const NOTES_MAX_LENGTH = 2_000;

const contact = z.strictObject({
  _id: contactId,
  phone: z.string().meta({ description: 'E.164, or the email address.' }),
  channel: z
    .enum(CHANNELS)
    .nullable()
    .meta({ description: 'Of the last message; null before the first one.' }),
  name: z.string(),
  notes: z.string(),
  lastMessageAt: z.iso.datetime().nullable(),
  optedOut: z.array(z.enum(CHANNELS)).meta({ description: 'The channels that they opted out of.' }),
});
export type Contact = z.infer<typeof contact>;

const written = {
  name: z.string().max(NAME_MAX_LENGTH),
  notes: z.string().max(NOTES_MAX_LENGTH),
};

/** The form fields that are sent with a file of contacts. */
export const contactImportFields = z.strictObject({ countryCode: z.string().max(6).optional() });
export type ContactImportFields = z.infer<typeof contactImportFields>;

const contactParams = accountParams.extend({ contactId });
const saved = z.strictObject({ message: z.string(), contact });

export const contactCalls = defineCalls({
  'GET /account/:accountId/contacts': {
    summary: 'Contacts by part of the number, address or name, the last ones first',
    params: accountParams,
    query: z.strictObject({ keyword: z.string().max(320).meta({ description: 'At least 3 characters.' }) }),
    reply: z.strictObject({
      contacts: z.array(z.strictObject({ phone: z.string(), channel: z.enum(CHANNELS), name: z.string() })),
    }),
  },
  'GET /account/:accountId/contacts/page': {
    summary: 'Contacts with all that is known of them, the last ones first',
    params: accountParams,
    query: z.strictObject({
      keyword: z.string().max(320).optional(),
      before: contactPlace.optional().meta({ description: '`next` of the page before.' }),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    reply: z.strictObject({
      contacts: z.array(contact),
      next: contactPlace.nullable().meta({ description: 'Asks for the next page; null at the end.' }),
    }),
  },
  'POST /account/:accountId/contacts': {
    summary: 'Enter a contact; one who is known gets the name and notes given',
    params: accountParams,
    body: z.strictObject({
      phone: z.string().max(320).meta({ description: 'A phone number or an email address.' }),
      countryCode: z.string().max(6).optional(),
      name: written.name.optional(),
      notes: written.notes.optional(),
    }),
    reply: saved,
  },
  'PUT /account/:accountId/contacts/:contactId': {
    summary: 'Name a contact, or change its notes',
    params: contactParams,
    body: z.strictObject(written),
    reply: saved,
  },
  'DELETE /account/:accountId/contacts/:contactId': {
    summary: 'Remove a contact; its messages and its opt-outs stay',
    params: contactParams,
    reply: z.strictObject({ message: z.string() }),
  },
});
