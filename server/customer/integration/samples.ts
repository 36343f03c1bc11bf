import { readFileSync } from 'node:fs';

type Quote = (text: string) => string;

/** JSON strings are valid in JavaScript, Python, Go, Java and C# as well; everything but ASCII is escaped. */
const quoteLikeJson: Quote = (text) =>
  JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
/** A shell has no escape in single quotes: the string is ended, a quote inserted, and started again. */
const quoteForShell: Quote = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
const quoteForPhp: Quote = (text) => `'${text.replace(/[\\']/g, String.raw`\$&`)}'`;

interface SampleLanguage {
  /** As the selector shows it. */
  name: string;
  /** Of its files in samples/. */
  file: string;
  quote: Quote;
}

const LANGUAGES: SampleLanguage[] = [
  { name: 'cURL', file: 'curl', quote: quoteForShell },
  { name: 'Node.js', file: 'node', quote: quoteLikeJson },
  { name: 'Python', file: 'python', quote: quoteLikeJson },
  { name: 'PHP', file: 'php', quote: quoteForPhp },
  { name: 'Go', file: 'go', quote: quoteLikeJson },
  { name: 'Java', file: 'java', quote: quoteLikeJson },
  { name: 'C#', file: 'csharp', quote: quoteLikeJson },
];

/** Clients drop the last name of the list, as the specification says: so the last one is there to be dropped. */
const DROPPED = { '': '' };

const read = (file: string): string =>
  readFileSync(new URL(`./samples/${file}.txt`, import.meta.url), 'utf8');

const TEMPLATES = LANGUAGES.map(({ name, file, quote }) => ({
  name,
  quote,
  send: read(`${file}.send`),
  many: read(`${file}.many`),
  verify: read(`${file}.verify`),
}));

const fill = (template: string, quote: Quote, values: SampleValues): string =>
  template.replace(/\{\{(url|secret|webhookSecret)\}\}/g, (_, name: keyof SampleValues) =>
    quote(values[name]),
  );

interface SampleValues {
  /** Where the API is reached, without a slash at the end. */
  url: string;
  secret: string;
  /** The signing secret of webhooks: whsec_ and base64. */
  webhookSecret: string;
}

/** Complete programs in every language, with the account's values filled in. */
export const sampleCodes = (values: SampleValues) => {
  const codesOf = (kind: 'send' | 'many' | 'verify'): Record<string, string> =>
    Object.fromEntries(
      TEMPLATES.map(({ name, quote, [kind]: template }) => [name, fill(template, quote, values)]),
    );
  return {
    codes: { ...codesOf('send'), ...DROPPED },
    manyCodes: codesOf('many'),
    webhookCodes: codesOf('verify'),
  };
};
