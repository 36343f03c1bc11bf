import { z } from 'zod';
import { REGISTRATION } from '../customer/accounts.ts';
import { defineCalls } from '../ground/call.ts';
import { CHANNELS } from '../ground/channels.ts';
import { LANGUAGES } from '../ground/constants.ts';

const language = z.enum(LANGUAGES);

const startup = z.strictObject({
  carrierNameMap: z
    .record(z.string(), z.strictObject({ short: z.string(), long: z.string() }))
    .meta({ description: 'By carrier name.' }),
  availableSmsCountryCodes: z.array(z.strictObject({ countryCode: z.string(), country: z.string() })),
  translationVersion: z.string(),
  languages: z.array(z.strictObject({ code: language, name: z.string() })),
  contactEmail: z.string().meta({ description: 'How to reach the operator; empty when not set.' }),
  sourceUrl: z.string().meta({ description: "Where this program's source is offered; empty when not set." }),
  channels: z
    .record(z.enum(CHANNELS), z.strictObject({ available: z.boolean(), simulated: z.boolean() }))
    .meta({
      description: 'By which channels messages can be sent, and whether only a simulator takes them.',
    }),
  registration: z.enum(REGISTRATION).meta({ description: 'Who may register.' }),
  mailbox: z.boolean().meta({ description: 'Whether the reader may open the local mailbox page.' }),
});
type Startup = z.infer<typeof startup>;
/** A country that SMS can be sent to: two letters, and its calling code such as +852. */
export type SmsCountry = Startup['availableSmsCountryCodes'][number];

const translations = z.strictObject({
  version: z.string(),
  translations: z.partialRecord(language, z.record(z.string(), z.string())),
});

export const startupCalls = defineCalls({
  'GET /startup': {
    summary: 'What the pages need before anything else',
    query: z.object({ _t: z.string().max(40).optional() }),
    reply: startup,
  },
  'GET /translations': {
    summary: 'The translation table, by language and label; may be cached for good when v is its version',
    query: z.object({
      v: z.string().max(80).optional(),
      language: language.optional().meta({ description: 'Only this one; without it, all of them.' }),
    }),
    reply: translations,
  },
});
