import { z } from 'zod';
import { type SettingsOf, section } from '../../ground/settings/index.ts';

export const httpSmsSection = section({
  shape: {
    /** Templates of providers of SMS by HTTP: a JSON file, or a folder of them. */
    HTTP_SMS_PROVIDERS: z.string().min(1).optional(),
  },
  secrets: [],
});

export type HttpSmsSection = SettingsOf<typeof httpSmsSection>;
