import type { Language } from '../../contract/constants.ts';
import { text } from './translations.ts';

/** What the program itself writes about a lane or a message, in English, before anybody reads it. */
const OWN = [
  'reason.own.agent_ended',
  'reason.own.agent_lost_it',
  'reason.own.agent_not_connected',
  'reason.own.agent_not_reached',
  'reason.own.agent_too_late',
  'reason.own.answer_senseless',
  'reason.own.app_not_ready',
  'reason.own.carrier_no_answer',
  'reason.own.carrier_not_yet',
  'reason.own.centre_no_answer',
  'reason.own.device_not_connected',
  'reason.own.media_gone',
  'reason.own.modem_not_reached',
  'reason.own.no_connection',
  'reason.own.no_modem',
  'reason.own.no_turn',
  'reason.own.no_worker',
  'reason.own.not_on_whatsapp',
  'reason.own.opted_out',
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

/** A stored reason in the reader's language where it is one of our own; a carrier's words stay as they are. */
export const sayReason = (language: Language, reason: string): string => {
  const label = ownReasons.get(reason);
  return label ? text(language, label) : reason;
};
