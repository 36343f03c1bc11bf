import { z } from 'zod';
import { type SettingsOf, section } from '../../ground/settings/index.ts';

export const smppSection = section({
  shape: {
    /** Message centres: smpp://user:password@host:2775, several with spaces or commas between. */
    SMPP_URLS: z
      .string()
      .transform((text) => text.split(/[\s,]+/).filter(Boolean))
      .default([]),
  },
  secrets: ['SMPP_URLS'],
});

export type SmppSection = SettingsOf<typeof smppSection>;
