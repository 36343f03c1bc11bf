import type admins from './texts/admins.json';
import type billing from './texts/billing.json';
import type closing from './texts/closing.json';
import type contacts from './texts/contacts.json';
import type devices from './texts/devices.json';
import type errors from './texts/errors.json';
import type inputs from './texts/inputs.json';
import type integration from './texts/integration.json';
import type lanes from './texts/lanes.json';
import type mails from './texts/mails.json';
import type messageFiles from './texts/message-files.json';
import type messages from './texts/messages.json';
import type optOuts from './texts/opt-outs.json';
import type pages from './texts/pages.json';
import type payments from './texts/payments.json';
import type phones from './texts/phones.json';
import type query from './texts/query.json';
import type reasons from './texts/reasons.json';
import type resolving from './texts/resolving.json';
import type retention from './texts/retention.json';
import type routing from './texts/routing.json';
import type schedules from './texts/schedules.json';
import type search from './texts/search.json';
import type senders from './texts/senders.json';
import type sending from './texts/sending.json';
import type uploads from './texts/uploads.json';
import type wallet from './texts/wallet.json';
import type webhooks from './texts/webhooks.json';
import type whatsapp from './texts/whatsapp.json';

/** The label of a text: what no file of texts/ has is a fault of types. */
export type Label = keyof (typeof admins &
  typeof billing &
  typeof closing &
  typeof contacts &
  typeof devices &
  typeof errors &
  typeof inputs &
  typeof integration &
  typeof lanes &
  typeof mails &
  typeof messageFiles &
  typeof messages &
  typeof optOuts &
  typeof pages &
  typeof payments &
  typeof phones &
  typeof query &
  typeof reasons &
  typeof resolving &
  typeof retention &
  typeof routing &
  typeof schedules &
  typeof search &
  typeof senders &
  typeof sending &
  typeof uploads &
  typeof wallet &
  typeof webhooks &
  typeof whatsapp);

/** What may follow after the beginning of a label: `LabelAfter<'audit.csv.'>` is `'id' | 'time' | …`. */
export type LabelAfter<Start extends string, L = Label> = L extends `${Start}${infer End}` ? End : never;
