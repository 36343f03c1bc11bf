import {
  LANGUAGE_NAMES,
  LANGUAGES,
  type Language,
  PRODUCT_NAME,
} from '../../../contract/ground/constants.ts';
import { escapeHtml } from '../../ground/mail/index.ts';
import { text } from '../../ground/translations/index.ts';

/** Confirmation; opted out; opted in again; a link that this installation did not create. */
export type UnsubscribeState = 'ask' | 'out' | 'in' | 'invalid';

interface Page {
  state: UnsubscribeState;
  recipient: string;
  language: Language;
  nonce: string;
}

const TAGS: Record<Language, string> = { en_US: 'en', zh_HK: 'zh-Hant-HK' };

const STYLE = `
:root { color-scheme: light dark; --body: #fbf8f1; --text: #17233f; --dimmed: #586277; --surface: #fff;
  --line: #e6dfd0; --link: #2f4a86; }
@media (prefers-color-scheme: dark) { :root { --body: #121a2e; --text: #e8ecf5; --dimmed: #a9b4cb;
  --surface: #1a2440; --line: #2c3756; --link: #f6ca66; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100dvh; display: grid; grid-template-rows: auto 1fr auto; background: var(--body);
  color: var(--text); font: 1rem/1.6 -apple-system, "Segoe UI", Roboto, "Noto Sans HK", "PingFang HK",
  "Microsoft JhengHei", Arial, sans-serif; overflow-wrap: anywhere; }
header, footer { padding: 1rem 1.5rem; }
header { display: flex; align-items: center; gap: .6rem; font-weight: 600; font-size: 1.1rem; }
main { display: grid; align-content: center; justify-content: center; padding: 1.5rem; }
.card { max-width: 30rem; padding: 2rem; border: 1px solid var(--line); border-radius: 1.1rem;
  background: var(--surface); }
h1 { margin: 0 0 .75rem; font: 600 1.6rem/1.3 "Iowan Old Style", Charter, "Noto Serif HK", "Songti TC", Georgia, serif; }
p { margin: 0 0 1.25rem; }
p:last-child { margin: 0; }
button { min-height: 2.75rem; padding: .5rem 1.4rem; border: 1px solid transparent; border-radius: .6rem;
  background: #f3b544; color: #17233f; font: inherit; font-weight: 600; cursor: pointer; }
button.quiet { border-color: var(--line); background: none; color: inherit; }
button:focus-visible, a:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.note { margin: 1.25rem 0 0; color: var(--dimmed); font-size: .9375rem; }
footer { display: flex; justify-content: center; gap: 1.25rem; }
footer a { padding: .3rem; color: var(--link); }
`;

/** It posts what mail programs post, and a request from the page gets a page as its answer. */
const form = (fields: Record<string, string>, button: string, quiet = false): string =>
  `<form method="post">${Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`)
    .join('')}<button type="submit"${quiet ? ' class="quiet"' : ''}>${escapeHtml(button)}</button></form>`;

/** A separate page without a script: it is for people who have never seen this program. */
export const unsubscribePage = ({ state, recipient, language, nonce }: Page): string => {
  const say = (part: 'title' | 'text'): string =>
    escapeHtml(text(language, `unsubscribe.${state}.${part}`, { recipient }));
  const action = {
    ask: form({ 'List-Unsubscribe': 'One-Click', page: '1' }, text(language, 'unsubscribe.confirm')),
    out: form({ undo: '1' }, text(language, 'unsubscribe.undo'), true),
    in: form({ 'List-Unsubscribe': 'One-Click', page: '1' }, text(language, 'unsubscribe.again'), true),
    invalid: '',
  }[state];
  const languages = LANGUAGES.filter((one) => one !== language)
    .map(
      (one) =>
        `<a href="?lang=${one}" lang="${TAGS[one]}" hreflang="${TAGS[one]}">${LANGUAGE_NAMES[one]}</a>`,
    )
    .join('');
  return `<!doctype html>
<html lang="${TAGS[language]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${say('title')} · ${PRODUCT_NAME}</title>
<link rel="icon" href="/favicon.svg">
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<header><img src="/favicon.svg" width="32" height="32" alt="">${PRODUCT_NAME}</header>
<main><div class="card"><h1>${say('title')}</h1><p>${say('text')}</p>${action}</div></main>
<footer>${languages}</footer>
</body>
</html>
`;
};
