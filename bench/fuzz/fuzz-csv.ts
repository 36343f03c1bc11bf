import type { Random } from './fuzz-random.ts';
import { HOSTILE_TEXTS, textFor } from './fuzz-texts.ts';

const HEADERS = [
  'phone,message',
  'phone;name;message',
  'email,subject,html',
  'to',
  'a,b,c',
  '電話,內容',
  'message',
];

const cell = (random: Random, field: string): string => {
  const text = textFor(random, field, { max: 200 });
  return random.chance(0.7) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** A small file of rows that are right, nearly right, or no table at all. */
export const csvFile = (random: Random): Buffer => {
  if (random.chance(0.1))
    return Buffer.from(
      random.pick([
        '',
        '\ufeff',
        '"',
        '"open\nand,open',
        `${','.repeat(600)}\n`,
        `phone\n${'x'.repeat(210_000)}`,
        '\n'.repeat(5_000),
        'a\u0000b',
        `phone,message\n+85261234567,"${'{{message}}'.repeat(500)}"`,
      ]),
    );
  if (random.chance(0.05)) return Buffer.from(`phone,message\n+85261234567,你好\n`, 'utf16le');
  const header = random.pick(HEADERS);
  const fields = header.split(/[,;]/);
  const delimiter = header.includes(';') ? ';' : ',';
  const rows = Array.from({ length: random.int(6) }, () =>
    fields
      .map((field) => cell(random, field))
      .slice(0, random.chance(0.1) ? 1 : fields.length)
      .join(delimiter),
  );
  return Buffer.from([header, ...rows, random.chance(0.1) ? random.pick(HOSTILE_TEXTS) : ''].join('\n'));
};

const BOUNDARY = 'posthorn-fuzz-boundary';
export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** A form as browsers write it: the fields in any order around the file. */
export const formOf = (
  random: Random,
  { fields, file, csv }: { fields: Record<string, unknown>; file: string; csv: Buffer },
): Buffer => {
  const named = Object.entries(fields).map(([name, value]) =>
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name.replace(/["\r\n]/g, '')}"\r\n\r\n${
        typeof value === 'string' ? value : JSON.stringify(value)
      }\r\n`,
    ),
  );
  const whole = Buffer.concat([
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${file}"; filename="f.csv"\r\nContent-Type: text/csv\r\n\r\n`,
    ),
    csv,
    Buffer.from('\r\n'),
  ]);
  const end = random.chance(0.03) ? '' : `--${BOUNDARY}--\r\n`;
  return Buffer.concat([...(random.chance(0.5) ? [whole, ...named] : [...named, whole]), Buffer.from(end)]);
};
