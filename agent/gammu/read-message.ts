import type { Concatenation } from '../pdu/read-pdu.ts';

export interface GammuMessage {
  kind: 'message' | 'report';
  fields: Map<string, string>;
  text: string;
}

const LOCATION = /^Location (\d+), folder/;

/**
 * The locations in a list of messages. A text may hold such a line too, so each location is read by itself afterwards,
 * where only what comes before the text counts.
 */
export const readLocations = (output: string): number[] => [
  ...new Set(
    output
      .split('\n')
      .map((line) => LOCATION.exec(line)?.[1])
      .filter((location) => location !== undefined)
      .map(Number),
  ),
];

const fieldIn = (line: string): { name: string; value: string } => {
  const colon = line.indexOf(':');
  return { name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() };
};

/** The value of a field of what gammu prints. */
export const valueIn = (output: string, name: string): string | undefined =>
  output
    .split('\n')
    .map(fieldIn)
    .find((field) => field.name === name)?.value;

/** What `gammu getsms` prints of one message: a line with its place, its kind, its fields, an empty line, its text. */
export const readGammuMessage = (output: string): GammuMessage | undefined => {
  const lines = output.split('\n');
  const start = lines.findIndex((line) => LOCATION.test(line));
  const kinds: Record<string, GammuMessage['kind']> = {
    'SMS message': 'message',
    'SMS status report': 'report',
  };
  const kind = kinds[lines[start + 1]?.trim() ?? ''];
  if (start < 0 || !kind) return undefined;
  const fields = new Map<string, string>();
  let at = start + 2;
  for (; at < lines.length && lines[at] !== ''; at++) {
    const { name, value } = fieldIn(lines[at] ?? '');
    if (!fields.has(name)) fields.set(name, value);
  }
  // It ends the text with a line of its own.
  const text = lines
    .slice(at + 1)
    .join('\n')
    .replace(/\n{1,2}$/, '');
  return { kind, fields, text };
};

export const numberIn = (field: string | undefined): string => /^"(.*)"/.exec(field ?? '')?.[1] ?? '';

/** Such as «Mon Nov 16 14:11:13 2026 +0000». */
export const momentIn = (field: string | undefined): Date => {
  const at = new Date((field ?? '').replace(/ \+(\d\d)(\d\d)$/, ' GMT+$1$2'));
  return Number.isNaN(at.getTime()) ? new Date() : at;
};

/** Such as «Concatenated (linked) message, ID (8 bit) 35, part 1 of 2». */
export const concatenationIn = (field: string | undefined): Concatenation | undefined => {
  const [, reference, number, total] = /ID \(\d+ bit\) (\d+), part (\d+) of (\d+)/.exec(field ?? '') ?? [];
  if (!reference || Number(total) < 2) return undefined;
  return { reference: Number(reference), number: Number(number), total: Number(total) };
};
