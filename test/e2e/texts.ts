import { readFileSync } from 'node:fs';
import type { Language } from '../../contract/ground/constants.ts';

const read = (part: string): Record<string, Record<Language, string>> =>
  JSON.parse(
    readFileSync(new URL(`../../server/ground/translations/texts/${part}.json`, import.meta.url), 'utf8'),
  );

const table = {
  ...read('pages'),
  ...read('errors'),
  ...read('messages'),
  ...read('mails'),
  ...read('wallet'),
  ...read('sending'),
  ...read('uploads'),
  ...read('reasons'),
  ...read('opt-outs'),
  ...read('contacts'),
  ...read('integration'),
  ...read('billing'),
  ...read('message-files'),
  ...read('closing'),
  ...read('retention'),
  ...read('webhooks'),
  ...read('senders'),
  ...read('query'),
  ...read('payments'),
  ...read('admins'),
  ...read('resolving'),
  ...read('devices'),
  ...read('lanes'),
  ...read('phones'),
};

/** The text of a label. Texts whose wording the specification gives are written out in the specs instead. */
export const texts =
  (language: Language) =>
  (label: string, params: Record<string, string | number> = {}): string => {
    const text = table[label]?.[language];
    if (text === undefined) throw new Error(`There is no text for ${label}.`);
    return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(params[name]));
  };
