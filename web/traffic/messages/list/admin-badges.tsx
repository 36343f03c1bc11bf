import { IconDeviceDesktop } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMay } from '../../../ground/api/use-may.ts';
import { formatExactAmount } from '../../../ground/i18n/format.ts';
import { t } from '../../../ground/i18n/translate.ts';
import { timelineQuery } from '../details/details-query.ts';
import { ResolveJob } from '../doubt/resolve-job.tsx';
import type { ListedMessage } from '../search/list-query.ts';
import { TransferJob } from '../transfer/transfer-job.tsx';
import { CopyBadge } from './copy-badge.tsx';
import classes from './message-cells.module.css';
import { PartyLinks } from './party-links.tsx';
import { shortId } from './short-id.ts';

/** The phone that it went by; opens its screen if that is reached by an address. */
const Device = ({ name, href }: { name: string; href: string | null }) =>
  href ? (
    <a
      className={classes.badge}
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      title={t('messages.remote_desktop', { phone: name })}
    >
      <IconDeviceDesktop size={12} aria-hidden="true" />
      {name}
    </a>
  ) : (
    <span className={classes.badge}>{name}</span>
  );

/** What the panel of a message shows to admins only. */
export const AdminBadges = ({ message }: { message: ListedMessage }) => {
  const { provider, providerMessageId, phoneName, method, remoteDesktop, deviceId, originalDeviceId } =
    message.job;
  const may = useMay();
  // The panel stays open when the list no longer has the message: its state is that of the details below.
  const { data: details } = useQuery(timelineQuery(message._id));
  const now = { ...message, status: details?.message.status ?? message.status };
  const { accountEmail } = message;
  return (
    <div className={classes.badges}>
      {accountEmail &&
        (may('GET /admin/accounts') ? (
          <Link className={classes.badge} to="/dashboard/accounts" search={{ keyword: accountEmail }}>
            {accountEmail}
          </Link>
        ) : (
          <span className={classes.badge}>{accountEmail}</span>
        ))}
      {provider && <span className={classes.badge}>{provider}</span>}
      {phoneName && <Device name={phoneName} href={remoteDesktop} />}
      {deviceId && deviceId !== phoneName && <span className={classes.badge}>{deviceId}</span>}
      {originalDeviceId && originalDeviceId !== deviceId && (
        <span className={classes.badge}>{t('messages.moved_from', { device: originalDeviceId })}</span>
      )}
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
      {message.type === 'outgoing' && (
        <Link className={classes.badge} to="/dashboard/queue/$jobId" params={{ jobId: message._id }}>
          {t('queue.open')}
        </Link>
      )}
      <ResolveJob message={now} />
      <TransferJob message={now} />
      <PartyLinks message={message} />
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
