import { z } from 'zod';
import { type Given, number, type SettingsOf, section, url } from '../../ground/settings/index.ts';

const sid = (prefix: string) =>
  z.string().regex(new RegExp(`^${prefix}[0-9a-f]{32}$`, 'i'), `must be ${prefix} and 32 hexadecimal digits`);

const shape = {
  TWILIO_ACCOUNT_SID: sid('AC').optional(),
  TWILIO_AUTH_TOKEN: z.string().min(8, 'must be the auth token of the account').optional(),
  /** Instead of the token, for calls; callbacks are signed with the token all the same. */
  TWILIO_API_KEY: sid('SK').optional(),
  TWILIO_API_SECRET: z.string().min(8, 'must be the secret of the API key').optional(),
  TWILIO_FROM: z
    .string()
    .regex(/^(\+[1-9]\d{6,14}|\d{3,8}|(?=.*[A-Za-z])[A-Za-z0-9 +\-_&]{1,11})$/, {
      error: 'must be a number such as +15005550006, a short code or a name of up to 11 letters and digits',
    })
    .optional(),
  TWILIO_MESSAGING_SERVICE_SID: sid('MG').optional(),
  /** Calls at the same time. */
  TWILIO_WINDOW: number('a number from 1 to 500', 1, 500).default(20),
  /** Where Twilio's API is, if not at its own address: for tests. */
  TWILIO_API_BASE: url('http:', 'https:').optional(),
};

/** Some of these without the others can't work. */
const faultsOf = (given: Given): string[] => {
  const has = (...names: (keyof typeof shape)[]) => names.some((name) => given[name] !== undefined);
  if (!Object.keys(shape).some((name) => name !== 'TWILIO_API_BASE' && given[name] !== undefined)) return [];
  return [
    ...(has('TWILIO_ACCOUNT_SID') && has('TWILIO_AUTH_TOKEN')
      ? []
      : ['TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN must be set, both, for Twilio']),
    ...(has('TWILIO_FROM', 'TWILIO_MESSAGING_SERVICE_SID')
      ? []
      : ['TWILIO_FROM or TWILIO_MESSAGING_SERVICE_SID must be set too: Twilio needs a sender']),
    ...(has('TWILIO_API_KEY') === has('TWILIO_API_SECRET')
      ? []
      : ['TWILIO_API_KEY and TWILIO_API_SECRET must be set together']),
  ];
};

export const twilioSection = section({
  shape,
  secrets: ['TWILIO_AUTH_TOKEN', 'TWILIO_API_SECRET'],
  ofEnvironment: ['TWILIO_API_BASE'],
  faultsOf,
});

export type TwilioSection = SettingsOf<typeof twilioSection>;
