import { readFileSync } from 'node:fs';
import { readSetting } from '../../ground/settings/index.ts';
import type { ProviderLane } from '../../traffic/lanes/provider-lane.ts';
import { readHeaderMailbox } from './address.ts';
import { readDkimKey } from './dkim.ts';
import { relayOptions } from './relay-options.ts';
import type { RelaySection } from './settings.ts';
import { type SmtpRelaySettings, smtpRelay } from './smtp-relay.ts';

interface Surroundings {
  /** The settings of our own mails. The email channel may share their mail server, never their sender. */
  ownMails: { SMTP_URL?: string | undefined; MAIL_FROM: string };
  /** Signs the addresses that undeliverable mail comes back to. */
  key: Buffer;
  unsubscribeUrl: NonNullable<SmtpRelaySettings['unsubscribeUrl']>;
}

const bouncesOf = (settings: RelaySection, key: Buffer): SmtpRelaySettings['bounces'] => {
  const { EMAIL_BOUNCE_DOMAIN: domain, EMAIL_BOUNCE_HOST: host, EMAIL_BOUNCE_PORT: port } = settings;
  return domain ? { domain, key, host, port } : undefined;
};

/**
 * What customers send must not come from the address that sends password links: whoever gets it could not tell them
 * apart.
 */
const requireOther = (from: string, ownMails: string): string => {
  const [address = '', own = ''] = [from, ownMails].map(
    (mailbox) => readHeaderMailbox(mailbox)?.address?.address,
  );
  if (address.toLowerCase() === own.toLowerCase())
    throw new Error("it must differ from MAIL_FROM's address, which sends the program's own mails");
  return address;
};

/** One lane: the email channel's own mail server, or the one that our mails go through. None without a sender. */
export const relayLanes = (
  settings: RelaySection,
  { ownMails, key, unsubscribeUrl }: Surroundings,
): ProviderLane[] => {
  const { EMAIL_SMTP_URL: ownUrl, EMAIL_FROM: from } = settings;
  const url = ownUrl ?? ownMails.SMTP_URL;
  if (!url || !from) return [];
  const relay = readSetting(ownUrl ? 'EMAIL_SMTP_URL' : 'SMTP_URL', () =>
    relayOptions(url, { connections: settings.EMAIL_CONNECTIONS, lenient: !ownUrl }),
  );
  const dkim = settings.EMAIL_DKIM_KEY_FILE.map((file, at) => ({
    domain: settings.EMAIL_DKIM_DOMAIN ?? '',
    selector: settings.EMAIL_DKIM_SELECTOR[at] ?? '',
    key: readSetting('EMAIL_DKIM_KEY_FILE', () => readDkimKey(readFileSync(file))),
  }));
  const carrier = () =>
    smtpRelay({
      relay,
      from,
      fromDomains: settings.EMAIL_FROM_DOMAINS.map((domain) => domain.toLowerCase()),
      dkim,
      bounces: bouncesOf(settings, key),
      unsubscribeUrl,
    });
  // A carrier refuses a sender that is no address: that is told now, not when the lane is served.
  readSetting('EMAIL_FROM', carrier);
  const sender = readSetting('EMAIL_FROM', () => requireOther(from, ownMails.MAIL_FROM));
  const name = `smtp-${relay.user ? `${relay.user}@` : ''}${relay.host}:${relay.port}`;
  return [{ name, channel: 'email', provider: 'smtp', simulated: false, sender, carrier }];
};
