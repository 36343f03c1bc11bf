import { type Language, PRODUCT_NAME } from '../../../contract/ground/constants.ts';
import { text } from '../translations/index.ts';
import { escapeHtml } from './escape-html.ts';

/** A mail's content as plain text; both forms are generated from it. */
export interface MailContent {
  language: Language;
  subject: string;
  paragraphs: string[];
  buttons: { label: string; url: string }[];
  /** Said below the buttons, in smaller type. */
  notes: string[];
}

const FONT =
  "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','Noto Sans HK','PingFang HK','Microsoft JhengHei',sans-serif";

/**
 * Colours are inline because many mail programs drop style sheets; those that keep them use the dark ones of the style
 * element, and those that invert colours learn that both schemes are supported.
 */
const DARK = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.page{background:#10182b!important}.card{background:#1a2340!important;border-color:#33406b!important}
.text{color:#e9ecef!important}.note{color:#a6a7ab!important}.link{color:#f3b544!important}
}`;

const paragraphHtml = (words: string) =>
  `<p class="text" style="margin:0 0 16px;color:#17233f;font-size:16px;line-height:1.6">${escapeHtml(words)}</p>`;

const noteHtml = (words: string) =>
  `<p class="note" style="margin:12px 0 0;color:#5c636a;font-size:14px;line-height:1.5">${escapeHtml(words)}</p>`;

const buttonHtml = (language: Language, { label, url }: MailContent['buttons'][number]) => {
  const href = escapeHtml(url);
  return `<p style="margin:24px 0 8px"><a href="${href}" style="display:inline-block;padding:12px 24px;border-radius:6px;background:#f3b544;color:#17233f;font-size:16px;font-weight:600;text-decoration:none">${escapeHtml(label)}</a></p>
<p class="note" style="margin:0 0 16px;color:#5c636a;font-size:13px;line-height:1.5">${escapeHtml(text(language, 'mail.copyLink'))}<br><a class="link" href="${href}" style="color:#17233f;word-break:break-all">${href}</a></p>`;
};

const htmlOf = ({ language, subject, paragraphs, buttons, notes }: MailContent): string => `<!doctype html>
<html lang="${language.replace('_', '-')}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${DARK}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#fbf8f2;${FONT}">
<div class="page" style="padding:24px 12px;background:#fbf8f2">
<div class="card" style="max-width:560px;margin:0 auto;padding:32px 28px;background:#ffffff;border:1px solid #e6e0d2;border-radius:8px">
<p class="link" style="margin:0 0 24px;color:#17233f;font-size:18px;font-weight:700">${PRODUCT_NAME}</p>
<h1 class="text" style="margin:0 0 16px;color:#17233f;font-size:22px;line-height:1.3">${escapeHtml(subject)}</h1>
${paragraphs.map(paragraphHtml).join('\n')}
${buttons.map((button) => buttonHtml(language, button)).join('\n')}
${notes.map(noteHtml).join('\n')}
</div>
</div>
</body>
</html>
`;

const textOf = ({ paragraphs, buttons, notes }: MailContent): string =>
  `${[...paragraphs, ...buttons.map(({ label, url }) => `${label}\n${url}`), ...notes, `-- \n${PRODUCT_NAME}`].join('\n\n')}\n`;

export const composeMail = (letter: MailContent): { subject: string; text: string; html: string } => ({
  subject: letter.subject,
  text: textOf(letter),
  html: htmlOf(letter),
});
