import type { Channel } from '../../../contract/ground/channels.ts';
import { withoutGuard } from '../../../contract/ground/csv.ts';
import { DomainError } from '../domain-error.ts';
import type { CsvRecord, Delimiter } from './records.ts';

export interface Columns {
  header: boolean;
  /** As the file calls them, or their numbers. */
  names: string[];
  /** By name, ignoring case and surrounding spaces. */
  byName: Map<string, number>;
  recipient: number;
  message: number | undefined;
  subject: number | undefined;
  html: number | undefined;
  identifier: number | undefined;
}

const PHONE = [
  'phone',
  'phone number',
  'phonenumber',
  'phone no',
  'phone no.',
  'mobile',
  'mobile number',
  'mobile phone',
  'mobile no',
  'mobile no.',
  'cell',
  'cell phone',
  'tel',
  'tel.',
  'telephone',
  'telephone number',
  'number',
  'msisdn',
  '電話',
  '電話號碼',
  '手機',
  '手機號碼',
  '手提電話',
  '流動電話',
  '電话',
  '电话',
  '手机',
  '手机号码',
];
const EMAIL = [
  'email',
  'e-mail',
  'email address',
  'e-mail address',
  'mail',
  '電郵',
  '電郵地址',
  '電子郵件',
  '邮箱',
];
const ANY_RECIPIENT = ['to', 'recipient', 'target', '收件人', '收件者', '目標電話'];
const MESSAGE = [
  'message',
  'text',
  'sms',
  'body',
  'content',
  '訊息',
  '信息',
  '內容',
  '短訊',
  '簡訊',
  '消息',
  '内容',
];
const SUBJECT = ['subject', 'title', '主旨', '標題', '主題'];
const HTML = 'html';
const IDENTIFIER = 'identifier';

/** Of a column's name, where it is shown. */
const NAME_LENGTH = 200;

/** Of lists that may hold numbers and addresses. */
export const RECIPIENT_NAMES = [...PHONE, ...EMAIL, ...ANY_RECIPIENT];

const recipientNames = (channel: Channel): string[] =>
  channel === 'email' ? [...EMAIL, ...ANY_RECIPIENT, ...PHONE] : [...PHONE, ...ANY_RECIPIENT];

export const columnName = (name: string): string =>
  withoutGuard(name)
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .replace(/[_\s]+/g, ' ');

const find = (byName: Map<string, number>, wanted: string[]): number | undefined =>
  wanted.map((name) => byName.get(name)).find((at) => at !== undefined);

const indexed = (names: string[]): Map<string, number> => {
  const byName = new Map<string, number>();
  for (const [at, name] of names.entries()) {
    const key = columnName(name);
    if (key !== '' && !byName.has(key)) byName.set(key, at);
  }
  return byName;
};

/** Every refusal of a row names its column, so a name that is as long as a row would be stored as often. */
export const shownName = (name: string): string =>
  withoutGuard(name).trim().slice(0, NAME_LENGTH).toWellFormed();

/** Finds the columns: as the first row names them, otherwise the recipient first, then the message. */
export const readColumns = (first: CsvRecord, channel: Channel): Columns => {
  const byName = indexed(first.cells);
  const recipient = find(byName, recipientNames(channel));
  const message = find(byName, MESSAGE);
  if (recipient === undefined && message === undefined) {
    const names = first.cells.map((_, at) => String(at + 1));
    return {
      header: false,
      names,
      byName: indexed(names),
      recipient: 0,
      message: names.length > 1 ? 1 : undefined,
      subject: undefined,
      html: undefined,
      identifier: undefined,
    };
  }
  if (recipient === undefined) throw new DomainError('E_CSV_NO_RECIPIENT_COLUMN');
  return {
    header: true,
    names: first.cells.map((name, at) => shownName(name) || String(at + 1)),
    byName,
    recipient,
    message,
    subject: channel === 'email' ? find(byName, SUBJECT) : undefined,
    html: channel === 'email' ? byName.get(HTML) : undefined,
    identifier: byName.get(IDENTIFIER),
  };
};

const DELIMITERS: Delimiter[] = [',', ';', '\t'];

/**
 * From the first row that is not empty: the delimiter with which it names a recipient, otherwise the one that comes
 * first in it, because a message contains commas but a number before it does not.
 */
export const findDelimiter = (start: string, channel: Channel): Delimiter => {
  const [line = ''] = start.replace(/^\s*\n/, '').split(/[\r\n]/, 1);
  const plain = line.replace(/"(?:[^"]|"")*"/g, (quoted) => quoted.replace(/[,;\t]/g, ' '));
  const wanted = new Set(recipientNames(channel));
  const naming = DELIMITERS.find(
    (delimiter) =>
      plain.includes(delimiter) &&
      plain.split(delimiter).some((cell) => wanted.has(columnName(cell.replace(/^\s*"(.*)"\s*$/, '$1')))),
  );
  const first = /[,;\t]/.exec(plain)?.[0] as Delimiter | undefined;
  return naming ?? first ?? ',';
};
