import { formatExactAmount } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import { CopyBadge } from './copy-badge.tsx';
import type { ListedMessage } from './list-query.ts';
import classes from './message-cells.module.css';
import { shortId } from './short-id.ts';
import { TransferJob } from './transfer-job.tsx';

/** What the panel of a message shows to admins only. */
export const AdminBadges = ({ message }: { message: ListedMessage }) => {
  const { provider, providerMessageId, phoneName, method } = message.job;
  return (
    <div className={classes.badges}>
      {provider && <span className={classes.badge}>{provider}</span>}
      {phoneName && <span className={classes.badge}>{phoneName}</span>}
      {method && <span className={classes.badge}>{method}</span>}
      {message.tags.map((tag) => (
        <span key={tag} className={classes.badge}>
          {tag}
        </span>
      ))}
      {providerMessageId && (
        <CopyBadge
          value={providerMessageId}
          label={t('messages.copy_provider_id', { id: providerMessageId })}
          text={providerMessageId}
        />
      )}
      <span className={classes.badge}>{t('messages.segments', { count: message.segment })}</span>
      <span className={classes.badge}>
        {message.currency} {formatExactAmount(message.price)}
      </span>
      <TransferJob message={message} />
      {message.message && (
        <CopyBadge
          value={message.message}
          label={t('messages.copy_message', { id: shortId(message._id) })}
          text={t('messages.copy')}
        />
      )}
    </div>
  );
};
