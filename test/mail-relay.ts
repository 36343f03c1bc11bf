import { randomBytes } from 'node:crypto';
import PostalMime, { type Email } from 'postal-mime';
import {
  type RelayOptions,
  relayOptions,
  type SmtpRelaySettings,
  smtpRelay,
} from '../server/providers/smtp-relay/index.ts';
import type { Outgoing } from '../server/traffic/lanes/index.ts';
import type { SmtpSink } from './emulators/smtp-sink/smtp-sink.ts';

const FROM = 'Posthorn <post@sender.example>';
export const KEY = randomBytes(32);

let recipients = 0;
/** A new one each time; `kind` tells the sink what to do with it. */
export const recipientOf = (kind = 'to'): string => {
  recipients += 1;
  return `${kind}+${recipients}@example.com`;
};

/** Shorter times than in production. */
const HASTY = {
  connections: 2,
  connectMs: 5_000,
  timeoutMs: 2_000,
  idleMs: 60_000,
  reconnect: { firstMs: 20, maxMs: 200 },
};

export const relayTo = (
  sink: Pick<SmtpSink, 'url'>,
  relay: Partial<RelayOptions> = {},
  rest: Partial<SmtpRelaySettings> = {},
) => smtpRelay({ relay: { ...relayOptions(sink.url), ...HASTY, ...relay }, from: FROM, ...rest });

/** What is in the sink for this recipient, parsed by a library. */
export const mailsTo = (sink: SmtpSink, to: string): Promise<Email[]> =>
  Promise.all(sink.received.filter((one) => one.to.includes(to)).map(({ raw }) => PostalMime.parse(raw)));

/** Line ends are the mail's own, and so is the last one. */
export const sameText = (text: string): string => text.replace(/\r\n?/g, '\n').replace(/\n$/, '');

export const takenOf = async (sink: SmtpSink, { recipient, text }: Outgoing): Promise<number> =>
  (await mailsTo(sink, recipient)).filter((mail) => sameText(mail.text ?? '') === sameText(text)).length;
