import type { Language } from '../../../../contract/ground/constants.ts';
import type { Letter } from '../../../ground/mail/index.ts';
import { text } from '../../../ground/translations/index.ts';
import type { MailKind } from './mail-request.ts';

interface Facts {
  language: Language;
  publicUrl: string;
  /** The host of the webhook; the rest of the address may contain a key. */
  host: string;
}

export const webhookLetter = (kind: MailKind, { language, publicUrl, host }: Facts): Letter => ({
  language,
  subject: text(language, `mail.webhook.${kind}.subject`),
  paragraphs: [text(language, `mail.webhook.${kind}.body`, { host })],
  buttons: [
    {
      label: text(language, 'mail.webhook.button'),
      url: `${publicUrl.replace(/\/$/, '')}/dashboard/integration/events`,
    },
  ],
  notes: [text(language, `mail.webhook.${kind}.next`), text(language, 'mail.wallet.why')],
});
