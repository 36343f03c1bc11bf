import { formatExactAmount } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import { Panel } from '../ui/panel.tsx';
import { Tag } from '../ui/tag.tsx';
import { CancelWaiting } from './cancel-waiting.tsx';
import { formatMoment } from './days.ts';
import type { ListedMessage } from './list-query.ts';
import classes from './message-details.module.css';
import { STATUS_TONES } from './status-tones.ts';

interface Step {
  label: string;
  at: string;
}

/** What became of it, in the order of time; only what is known. */
export const stepsOf = (message: ListedMessage): Step[] => {
  const { status, createdAt, sendAt, sentAt, deliveredAt, readAt, updatedAt, type } = message;
  const ended = status !== 'PENDING' && status !== 'SUCCESS';
  const known: [string, string | null][] = [
    [type === 'incoming' ? t('details.step.received') : t('details.step.accepted'), createdAt],
    [t('details.step.scheduled'), sendAt],
    [t('details.step.sent'), type === 'incoming' ? null : sentAt],
    [t('details.step.delivered'), deliveredAt],
    [t('details.step.read'), readAt],
    [
      status === 'CANCELLED' ? t('details.step.cancelled') : t('details.step.failed'),
      ended ? updatedAt : null,
    ],
  ];
  return known
    .flatMap(([label, at]) => (at === null ? [] : [{ label, at }]))
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
};

const numberOf = (code: string, number: string): string => (code ? `${code} ${number}` : number);

const Fact = ({ label, value }: { label: string; value: string }) =>
  value !== '' && (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );

/** All that is known of one message. */
export const MessageDetails = ({ message, admin }: { message: ListedMessage; admin: boolean }) => {
  const { status, segment, price, job } = message;
  return (
    <div className={classes.panels}>
      <Panel title={t('details.text')}>
        <p className={classes.status}>
          <Tag tone={STATUS_TONES[status]}>{status}</Tag>
          {message.test && <Tag tone="brass">{t('send.test')}</Tag>}
          {message.reason && <span>{message.reason}</span>}
        </p>
        {message.subject && <p className={classes.subject}>{message.subject}</p>}
        <p className={classes.text}>{message.message}</p>
        {status === 'PENDING' && <CancelWaiting messageId={message._id} />}
      </Panel>
      <Panel title={t('details.timeline')}>
        <ol className={classes.steps}>
          {stepsOf(message).map(({ label, at }) => (
            <li key={label}>
              <span>{label}</span>
              <time dateTime={at}>{formatMoment(at)}</time>
            </li>
          ))}
        </ol>
      </Panel>
      <Panel title={t('details.facts')}>
        <dl className={classes.facts}>
          <Fact label={t('messages.id')} value={message._id} />
          <Fact
            label={t('messages.direction')}
            value={message.type === 'incoming' ? t('messages.inbound') : t('messages.outbound')}
          />
          <Fact label={t('messages.channel')} value={t(`send.channel.${message.channel}`)} />
          <Fact label={t('details.to')} value={numberOf(message.phoneCountryCode, message.phoneNumber)} />
          <Fact
            label={t('details.from')}
            value={numberOf(message.fromPhoneCountryCode, message.fromPhoneNumber)}
          />
          {message.type === 'outgoing' && (
            <Fact
              label={t('details.price')}
              value={t('send.segments_and_price', { segments: segment, price: formatExactAmount(price) })}
            />
          )}
          {admin && <Fact label={t('messages.account')} value={message.accountId} />}
          <Fact label={t('messages.provider')} value={job.provider ?? ''} />
          <Fact label={t('details.provider_id')} value={job.providerMessageId ?? ''} />
        </dl>
      </Panel>
    </div>
  );
};
