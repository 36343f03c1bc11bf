import { z } from 'zod';
import { domain, list, number, type SettingsOf, section, url } from '../../ground/settings/index.ts';

export const relaySection = section({
  shape: {
    /** The mail server of the email channel; without it SMTP_URL. */
    EMAIL_SMTP_URL: url('smtp:', 'smtps:').optional(),
    /** What emails are from that name no sender. Without it the email channel has no lane. */
    EMAIL_FROM: z.string().min(3).optional(),
    /** Domains that the mail server may send for; * for every one that a customer has verified. */
    EMAIL_FROM_DOMAINS: list.default([]),
    EMAIL_CONNECTIONS: number('a number from 1 to 100', 1, 100).default(5),
    EMAIL_DKIM_DOMAIN: domain.optional(),
    EMAIL_DKIM_SELECTOR: list.default([]),
    EMAIL_DKIM_KEY_FILE: list.default([]),
    EMAIL_BOUNCE_DOMAIN: domain.optional(),
    EMAIL_BOUNCE_HOST: z.string().min(1).default('0.0.0.0'),
    EMAIL_BOUNCE_PORT: number('a port number from 0 to 65535', 0, 65535).optional(),
  },
  secrets: ['EMAIL_SMTP_URL'],
  ofEnvironment: ['EMAIL_DKIM_DOMAIN', 'EMAIL_DKIM_SELECTOR', 'EMAIL_DKIM_KEY_FILE'],
  faultsOf: (given, parsed) => {
    if (!parsed) return [];
    const { EMAIL_DKIM_DOMAIN: domain, EMAIL_DKIM_SELECTOR: selectors, EMAIL_DKIM_KEY_FILE: files } = parsed;
    const isSigned = domain !== undefined || selectors.length > 0 || files.length > 0;
    const isWhole = domain !== undefined && selectors.length > 0 && selectors.length === files.length;
    return [
      ...(given.EMAIL_SMTP_URL !== undefined && given.EMAIL_FROM === undefined
        ? ["EMAIL_FROM must be set too: what customers send needs an address other than MAIL_FROM's"]
        : []),
      ...(isSigned && !isWhole
        ? [
            'EMAIL_DKIM_DOMAIN, EMAIL_DKIM_SELECTOR and EMAIL_DKIM_KEY_FILE must be set together, one file a selector',
          ]
        : []),
      ...(parsed.EMAIL_BOUNCE_PORT !== undefined && parsed.EMAIL_BOUNCE_DOMAIN === undefined
        ? ['EMAIL_BOUNCE_DOMAIN must be set too: EMAIL_BOUNCE_PORT takes its mail']
        : []),
    ];
  },
});

export type RelaySection = SettingsOf<typeof relaySection>;
