import { z } from 'zod';
import { incompleteGroup, number, type SettingsOf, section, url } from '../../ground/settings/index.ts';

const NEEDED = [
  'WHATSAPP_CLOUD_PHONE_NUMBER_ID',
  'WHATSAPP_CLOUD_TOKEN',
  'WHATSAPP_CLOUD_APP_SECRET',
  'WHATSAPP_CLOUD_VERIFY_TOKEN',
  'WHATSAPP_CLOUD_WABA_ID',
] as const;

export const cloudSection = section({
  shape: {
    /** Our numbers at Meta's Cloud API by their ids, several separated by commas; of one account and app. */
    WHATSAPP_CLOUD_PHONE_NUMBER_ID: z
      .string()
      .regex(/^\d+(\s*,\s*\d+)*$/, 'must be the ids of phone numbers, which are digits, with commas between')
      .transform((text) => text.split(',').map((id) => id.trim()))
      .optional(),
    WHATSAPP_CLOUD_TOKEN: z.string().min(8, 'must be an access token of Meta').optional(),
    WHATSAPP_CLOUD_APP_SECRET: z.string().min(8, "must be the app's secret").optional(),
    WHATSAPP_CLOUD_VERIFY_TOKEN: z.string().min(8, 'must have at least 8 characters').optional(),
    WHATSAPP_CLOUD_WABA_ID: z.string().regex(/^\d+$/, 'must be digits').optional(),
    /** How many messages a second a number may send, as Meta has granted it. */
    WHATSAPP_CLOUD_PER_SECOND: number('a number from 1 to 1000', 1, 1_000).default(80),
    /** Where Meta's Graph API is, if not at its own address: for tests. */
    WHATSAPP_CLOUD_API_BASE: url('http:', 'https:').optional(),
  },
  secrets: NEEDED,
  ofEnvironment: ['WHATSAPP_CLOUD_API_BASE'],
  faultsOf: (given) => incompleteGroup("WhatsApp's Cloud API", NEEDED, given),
});

export type CloudSection = SettingsOf<typeof cloudSection>;
