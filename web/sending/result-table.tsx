import { Link } from '@tanstack/react-router';
import type { MessageId } from '../../contract/messages.ts';
import { formatDateTime, formatExactAmount, formatTime } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import { CancelWaiting } from '../outbox/cancel-waiting.tsx';
import { StatusTag } from '../outbox/status-tag.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import table from '../ui/table.module.css';
import { Tag } from '../ui/tag.tsx';
import { toastSuccess } from '../ui/toast.ts';
import classes from './result-table.module.css';
import { type Result, statusOf } from './results-csv.ts';

const Status = ({ result }: { result: Result }) => {
  const status = statusOf(result);
  const { reason, deliveredAt } = result.message ?? {};
  return (
    <div role="status">
      <StatusTag status={status} />
      {reason && <div className={classes.reason}>{reason}</div>}
      {status === 'PENDING' && result.sent.sendAt && (
        <div className={classes.quiet}>
          {t('send.later.at', { time: formatDateTime(result.sent.sendAt) })}
        </div>
      )}
      {status === 'PENDING' && result.sent.sendAt && <CancelWaiting messageId={result.sent._id} />}
      {status === 'SUCCESS' && deliveredAt && (
        <div className={classes.quiet}>{t('send.delivered', { time: formatTime(deliveredAt) })}</div>
      )}
    </div>
  );
};

const MessageIdentifier = ({ id }: { id: MessageId }) => (
  <span className={classes.id}>
    <Link
      to="/dashboard/messages/details/$messageId"
      params={{ messageId: id }}
      aria-label={t('send.open', { id })}
    >
      <code>{id}</code>
    </Link>
    <CopyButton
      value={id}
      label={t('send.copy_id', { id })}
      onCopied={() => toastSuccess(t('send.copied', { text: id }))}
    />
  </span>
);

const Row = ({ result }: { result: Result }) => {
  const { sent } = result;
  const channel = (
    <span className={classes.tags}>
      {t(`send.channel.${sent.channel}`)}
      {sent.test && <Tag tone="brass">{t('send.test')}</Tag>}
    </span>
  );
  const id = <MessageIdentifier id={sent._id} />;
  const price = formatExactAmount(sent.price);
  return (
    <tr>
      <td>
        <time dateTime={sent.at} title={formatDateTime(sent.at)}>
          {formatTime(sent.at)}
        </time>
        <div className={classes.below}>{channel}</div>
      </td>
      <td className={classes.aside}>{channel}</td>
      <td className={classes.target}>
        {sent.phone}
        {sent.fromPhone && (
          <div className={classes.quiet}>{t('send.from_phone', { phone: sent.fromPhone })}</div>
        )}
        <div className={classes.below}>{id}</div>
      </td>
      <td className={`${table.number} ${classes.aside}`}>{sent.segments}</td>
      <td className={`${table.number} ${classes.aside}`}>{price}</td>
      <td>
        <Status result={result} />
        <div className={`${classes.below} ${classes.quiet}`}>
          {t('send.segments_and_price', { segments: sent.segments, price })}
        </div>
      </td>
      <td className={classes.aside}>{id}</td>
    </tr>
  );
};

/** On a narrow page the columns marked aside are shown below their neighbours. */
export const ResultTable = ({ results }: { results: Result[] }) => (
  <table className={table.table}>
    <thead>
      <tr>
        <th scope="col">{t('send.time')}</th>
        <th scope="col" className={classes.aside}>
          {t('send.channel')}
        </th>
        <th scope="col">{t('send.target')}</th>
        <th scope="col" className={`${table.number} ${classes.aside}`}>
          {t('send.segments')}
        </th>
        <th scope="col" className={`${table.number} ${classes.aside}`}>
          {t('send.price')}
        </th>
        <th scope="col">{t('send.status')}</th>
        <th scope="col" className={classes.aside}>
          {t('send.message_id')}
        </th>
      </tr>
    </thead>
    <tbody>
      {results.map((result) => (
        <Row key={result.sent._id} result={result} />
      ))}
    </tbody>
  </table>
);
