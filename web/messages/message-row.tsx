import { IconArrowLeft, IconArrowRight } from '@tabler/icons-react';
import { lazy, type MouseEvent, memo, Suspense } from 'react';
import { t } from '../i18n/translate.ts';
import { StatusTag } from '../outbox/status-tag.tsx';
import { Tag } from '../ui/tag.tsx';
import { CopyBadge } from './copy-badge.tsx';
import { formatMoment } from './days.ts';
import { durationText, durationTone } from './duration-tag.ts';
import type { ListedMessage } from './list-query.ts';
import classes from './message-table.module.css';
import { shortId } from './short-id.ts';

const AdminBadges = lazy(() =>
  import('./admin-badges.tsx').then((module) => ({ default: module.AdminBadges })),
);

/** The details page shows the whole text. */
const EXCERPT_LENGTH = 400;

export interface Party {
  countryCode: string;
  number: string;
}

export interface RowHandlers {
  onParty: (party: Party) => void;
  onOpen: (path: string) => void;
}

const numberText = ({ countryCode, number }: Party) => (countryCode ? `${countryCode} ${number}` : number);

const Identifier = ({ message, onOpen }: { message: ListedMessage } & Pick<RowHandlers, 'onOpen'>) => {
  const path = `/dashboard/messages/details/${message._id}`;
  const open = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onOpen(path);
  };
  const job = message.job._id;
  return (
    <>
      <a href={path} className={classes.id} title={message._id} onClick={open}>
        {shortId(message._id)}
      </a>
      <CopyBadge value={job} label={t('messages.copy_job', { id: job })} text={t('messages.job')} />
    </>
  );
};

const Direction = ({ message, onParty }: { message: ListedMessage } & Pick<RowHandlers, 'onParty'>) => {
  const to = { countryCode: message.phoneCountryCode, number: message.phoneNumber };
  const from = { countryCode: message.fromPhoneCountryCode, number: message.fromPhoneNumber };
  const incoming = message.type === 'incoming';
  const [own, other] = incoming ? [to, from] : [from, to];
  const Icon = incoming ? IconArrowLeft : IconArrowRight;
  return (
    <span className={classes.direction}>
      {own.number && <span className={classes.quiet}>{numberText(own)}</span>}
      <span className={classes.arrow} data-incoming={incoming || undefined}>
        <Icon size={16} aria-hidden="true" />
        <span className="visually-hidden">{incoming ? t('messages.inbound') : t('messages.outbound')}</span>
      </span>
      {other.number && (
        <button
          type="button"
          className={classes.party}
          title={t('messages.filter_party')}
          onClick={() => onParty(other)}
        >
          {numberText(other)}
        </button>
      )}
    </span>
  );
};

interface MessageRowProps extends RowHandlers {
  message: ListedMessage;
  admin: boolean;
}

/** Built of HTML elements and memoised, so that rendering fifty rows is not noticeable. */
export const MessageRow = memo(({ message, admin, onParty, onOpen }: MessageRowProps) => (
  <tr>
    <td>
      <Identifier message={message} onOpen={onOpen} />
    </td>
    <td>
      <Direction message={message} onParty={onParty} />
    </td>
    <td>
      <span className={classes.tags}>
        <StatusTag status={message.status} />
        {message.duration !== null && (
          <Tag tone={durationTone(message.duration)}>
            <span className="visually-hidden">{t('messages.duration')} </span>
            {durationText(message.duration)}
          </Tag>
        )}
      </span>
      {message.reason && <div className={classes.reason}>{message.reason}</div>}
    </td>
    <td className={classes.time}>
      <time dateTime={message.createdAt}>{formatMoment(message.createdAt)}</time>
    </td>
    {admin && (
      <td className={classes.time}>
        <time dateTime={message.updatedAt}>{formatMoment(message.updatedAt)}</time>
      </td>
    )}
    <td>
      <span className={classes.tags}>
        {t(`send.channel.${message.channel}`)}
        {message.test && <Tag tone="brass">{t('send.test')}</Tag>}
      </span>
      {message.carrierName && <div className={classes.quiet}>{message.carrierName}</div>}
    </td>
    <td className={classes.message}>
      {message.subject && <strong>{message.subject}</strong>}
      <div className={classes.text}>{message.message.slice(0, EXCERPT_LENGTH)}</div>
      {admin && (
        <Suspense>
          <AdminBadges message={message} />
        </Suspense>
      )}
    </td>
  </tr>
));
