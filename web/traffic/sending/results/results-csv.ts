import { csvTable } from '../../../../contract/ground/csv.ts';
import { t } from '../../../ground/i18n/translate.ts';
import type { Message, SentMessage } from '../sending-queries.ts';

export interface SentRow {
  sent: SentMessage;
  /** The server's latest answer. */
  message: Message | undefined;
}

/** The latest known status of the message. */
export const resultStatus = ({ sent, message }: SentRow): SentMessage['status'] =>
  message?.status ?? sent.status;

export const resultsCsv = (results: SentRow[]): string => {
  const { head, line } = csvTable<SentRow>([
    { title: t('send.time'), type: 'time', value: ({ sent }) => sent.at },
    { title: t('send.channel'), type: 'text', value: ({ sent }) => sent.channel },
    { title: t('send.from'), type: 'phone', value: ({ sent }) => sent.fromPhone },
    { title: t('send.target'), type: 'phone', value: ({ sent }) => sent.phone },
    { title: t('send.segments'), type: 'number', value: ({ sent }) => String(sent.segments) },
    { title: t('send.price'), type: 'amount', value: ({ sent }) => String(sent.price) },
    { title: t('send.status'), type: 'text', value: resultStatus },
    { title: t('send.reason'), type: 'text', value: ({ message }) => message?.reason ?? null },
    { title: t('send.test'), type: 'text', value: ({ sent }) => (sent.test ? 'YES' : 'NO') },
    { title: t('send.message_id'), type: 'text', value: ({ sent }) => sent._id },
  ]);
  return head + results.map(line).join('');
};
