import { DEFAULT_LANGUAGE, type Language } from '../../../contract/ground/constants.ts';
import type { Label } from './label.ts';
import { template, text } from './translations.ts';

/** What the program itself writes about a lane or a message, in English, before anybody reads it. */
const OWN: Label[] = [
  'reason.own.address_refused',
  'reason.cause.bind_ended',
  'reason.cause.bind_silent',
  'reason.cause.centre_not_smpp',
  'reason.cause.centre_silent',
  'reason.cause.closed',
  'reason.cause.connection_closed',
  'reason.cause.content_senseless',
  'reason.cause.mail_no_login',
  'reason.cause.mail_no_tls',
  'reason.cause.mail_not_smtp',
  'reason.cause.mail_out_of_turn',
  'reason.cause.mail_silent',
  'reason.cause.mail_to_nothing',
  'reason.cause.unbound',
  'reason.own.agent_ended',
  'reason.own.agent_lost_it',
  'reason.own.agent_not_connected',
  'reason.own.agent_not_reached',
  'reason.own.agent_too_late',
  'reason.own.answer_missing',
  'reason.own.answer_senseless',
  'reason.own.app_not_ready',
  'reason.own.carrier_no_answer',
  'reason.own.carrier_not_yet',
  'reason.own.centre_no_answer',
  'reason.own.device_not_connected',
  'reason.own.hand_over_not_noted',
  'reason.own.device_too_large',
  'reason.own.media_gone',
  'reason.own.modem_away',
  'reason.own.modem_not_reached',
  'reason.own.no_connection',
  'reason.own.no_modem',
  'reason.own.no_turn',
  'reason.own.no_worker',
  'reason.own.not_delivered',
  'reason.own.not_noted',
  'reason.own.not_on_whatsapp',
  'reason.own.opted_out',
  'reason.own.part_not_sent',
  'reason.own.parts_unknown',
  'reason.own.phone_no_answer',
  'reason.own.phone_not_heard',
  'reason.own.phone_not_reached',
  'reason.own.phone_not_sent',
  'reason.own.sender_unsendable',
  'reason.own.service_not_reached',
  'reason.own.simulator_closed',
  'reason.own.simulator_puts_off',
  'reason.own.simulator_refuses',
  'reason.own.simulator_silent',
  'reason.own.too_late',
  'reason.own.warned',
  'reason.own.web_no_answer',
  'reason.own.web_no_message',
  'reason.own.whatsapp_no_id',
  'reason.own.worker_ended',
];
const ownReasons = new Map(OWN.map((label) => [text('en_US', label), label]));

/** Those with a status, a name or a cause in them; one that ends with another comes before it. */
const WITH_VALUES: Label[] = [
  'reason.cause.answer_to_command',
  'reason.cause.bind_refused',
  'reason.cause.mail_ended',
  'reason.cause.mail_greets',
  'reason.cause.mail_login_refused',
  'reason.cause.mail_reset',
  'reason.cause.no_answer_within',
  'reason.cause.no_connection_within',
  'reason.cause.starttls_answered',
  'reason.own.agent_no_modem',
  'reason.own.connection_ended',
  'reason.own.connection_lost',
  'reason.own.maybe_taken',
  'reason.own.provider_answered',
  'reason.own.provider_no_answer',
  'reason.own.provider_not_reached',
  'reason.own.twilio_maybe_taken',
  'reason.own.twilio_no_answer',
  'reason.own.twilio_no_id',
  'reason.own.twilio_not_reached',
  'reason.own.twilio_not_twilio',
  'reason.own.whatsapp_denied',
  'reason.own.whatsapp_no_answer',
  'reason.own.whatsapp_not_reached',
  'reason.own.whatsapp_refused',
  'reason.own.whatsapp_too_many',
  'reason.own.whatsapp_unsaid',
];
const patterns = WITH_VALUES.map((label) => {
  // Between the names are the words.
  const words = template('en_US', label).split(/\{\{(\w+)\}\}/);
  const source = words.map((part, at) =>
    at % 2 ? `(?<${part}>.+)` : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
  );
  return { label, pattern: new RegExp(`^${source.join('')}$`, 's') };
});

/** A stored reason in the reader's language where it is one of our own; a carrier's words stay as they are. */
export const sayReason = (language: Language, reason: string): string => {
  if (language === DEFAULT_LANGUAGE) return reason;
  const label = ownReasons.get(reason);
  if (label) return text(language, label);
  for (const { label: found, pattern } of patterns) {
    const values = pattern.exec(reason)?.groups;
    if (!values) continue;
    const said = Object.entries(values).map(([name, value]) => [name, sayReason(language, value)]);
    return text(language, found, Object.fromEntries(said));
  }
  return reason;
};
