import { t } from '../i18n/translate.ts';
import type { Message, Sent } from './sending-queries.ts';

export interface Result {
  sent: Sent;
  /** The server's latest answer. */
  message: Message | undefined;
}

/** Without it, spreadsheets assume an old encoding. */
const BYTE_ORDER_MARK = '\uFEFF';

/** A spreadsheet would run a cell that begins like a formula; an apostrophe makes it text. Numbers stay as they are. */
const cell = (content: string): string => {
  const risky = /^[=+\-@\t\r]/.test(content) && !/^-?\d+(\.\d+)?$/.test(content);
  const safe = risky ? `'${content}` : content;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};
const line = (cells: string[]): string => `${cells.map(cell).join(',')}\r\n`;

/** The latest known status of the message. */
export const statusOf = ({ sent, message }: Result): Sent['status'] => message?.status ?? sent.status;

export const resultsCsv = (results: Result[]): string => {
  const head = [
    t('send.time'),
    t('send.channel'),
    t('send.from'),
    t('send.target'),
    t('send.segments'),
    t('send.price'),
    t('send.status'),
    t('send.reason'),
    t('send.test'),
    t('send.message_id'),
  ];
  const rows = results.map((result) => {
    const { at, channel, fromPhone, phone, segments, price, test, _id } = result.sent;
    const yesNo = test ? 'YES' : 'NO';
    const reason = result.message?.reason ?? '';
    const figures = [String(segments), String(price)];
    return [at, channel, fromPhone, phone, ...figures, statusOf(result), reason, yesNo, _id];
  });
  return BYTE_ORDER_MARK + [head, ...rows].map(line).join('');
};
