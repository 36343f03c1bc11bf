import { lazy, type ReactNode, Suspense } from 'react';
import { t } from '../../../ground/i18n/translate.ts';
import { CopyBadge } from '../list/copy-badge.tsx';
import classes from '../list/message-cells.module.css';
import { detailsPath, type MessageActs } from '../list/message-columns.tsx';
import type { ListedMessage } from '../search/list-query.ts';

const AdminBadges = lazy(() =>
  import('../list/admin-badges.tsx').then((module) => ({ default: module.AdminBadges })),
);

interface MessagePanelProps extends Pick<MessageActs, 'onOpen'> {
  message: ListedMessage;
  admin: boolean;
  /** All that is known about the message. */
  children: ReactNode;
}

/** What a row of the list opens beside it. */
export const MessagePanel = ({ message, admin, onOpen, children }: MessagePanelProps) => {
  const path = detailsPath(message);
  const job = message.job._id;
  return (
    <>
      <div className={classes.badges}>
        <a
          href={path}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
            event.preventDefault();
            onOpen(path);
          }}
        >
          {t('messages.open_page')}
        </a>
        <CopyBadge value={job} label={t('messages.copy_job', { id: job })} text={t('messages.job')} />
      </div>
      {admin && (
        <Suspense>
          <AdminBadges message={message} />
        </Suspense>
      )}
      {children}
    </>
  );
};
