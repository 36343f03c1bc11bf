import { t } from '../i18n/translate.ts';
import type { Progress, Sent } from './message-queries.ts';

export interface Result {
  sent: Sent;
  progress: Progress | undefined;
}

/** Spreadsheets take a file without it for an old encoding. */
const BYTE_ORDER_MARK = '\uFEFF';

/** A cell that begins like a formula would be run by a spreadsheet; an apostrophe makes it text. A plain number is none. */
const cell = (content: string): string => {
  const risky = /^[=+\-@\t\r]/.test(content) && !/^-?\d+(\.\d+)?$/.test(content);
  const safe = risky ? `'${content}` : content;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};
const line = (cells: string[]): string => `${cells.map(cell).join(',')}\r\n`;

/** What the message has come to, with the numbers where several were accepted at once. */
export const statusesOf = ({ sent, progress }: Result): { status: Sent['status']; count: number }[] => {
  const counted = Object.entries(progress?.counts ?? {}).filter(([, count]) => count > 0);
  return counted.length === 0
    ? [{ status: sent.status, count: 1 }]
    : counted.map(([status, count]) => ({ status: status as Sent['status'], count }));
};

const statusText = (result: Result): string =>
  statusesOf(result)
    .map(({ status, count }) => ((result.progress?.total ?? 1) > 1 ? `${status} ${count}` : status))
    .join(' ');

export const resultsCsv = (results: Result[]): string => {
  const head = [
    t('send.time'),
    t('send.channel'),
    t('send.from'),
    t('send.target'),
    t('send.segments'),
    t('send.price'),
    t('send.status'),
    t('send.test'),
    t('send.message_id'),
  ];
  const rows = results.map((result) => {
    const { at, channel, fromPhone, phone, segments, price, test, _id } = result.sent;
    const yesNo = test ? 'YES' : 'NO';
    return [at, channel, fromPhone, phone, String(segments), String(price), statusText(result), yesNo, _id];
  });
  return BYTE_ORDER_MARK + [head, ...rows].map(line).join('');
};
