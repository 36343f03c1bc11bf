import type { Language } from '../../../contract/ground/constants.ts';
import { type TextValues, text } from '../translations/index.ts';
import type { MailContent } from './compose-mail.ts';

type Label = Parameters<typeof text>[1];

interface Outline {
  subject: Label;
  paragraphs: Label[];
  /** The label and the path of each page that the letter links to. */
  buttons: [Label, string][];
  notes: Label[];
  /** For the placeholders of all these texts. */
  values?: TextValues;
}

/** `publicUrl` is where people reach the pages. */
export const writeLetter = (
  { language, publicUrl }: { language: Language; publicUrl: string },
  { subject, paragraphs, buttons, notes, values }: Outline,
): MailContent => {
  const say = (label: Label) => text(language, label, values);
  const linkTo = ([label, path]: [Label, string]) => ({
    label: say(label),
    url: `${publicUrl.replace(/\/$/, '')}${path}`,
  });
  return {
    language,
    subject: say(subject),
    paragraphs: paragraphs.map(say),
    buttons: buttons.map(linkTo),
    notes: notes.map(say),
  };
};
