import { Button } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../../ground/api/call.ts';
import { formatCount } from '../../../ground/i18n/format.ts';
import { t } from '../../../ground/i18n/translate.ts';
import { ProgressBar } from '../../../ground/ui/feedback/progress-bar.tsx';
import { toastFailure, toastSuccess } from '../../../ground/ui/feedback/toast.ts';
import { Dialog } from '../../../ground/ui/forms/dialog.tsx';
import { useStable } from '../../../ground/ui/use-stable.ts';
import { shortId } from '../list/short-id.ts';
import classes from './bulk.module.css';
import { type BulkAction, bulkActionQuery, isRunning, refusedQuery } from './bulk-query.ts';

/** So that the toast is read before the list changes. */
const PAUSE_MS = 1_000;

/** Names the messages that were left as they are, with the reasons. */
const Refused = ({ action, onClose }: { action: BulkAction; onClose: () => void }) => {
  const refused = useInfiniteQuery(refusedQuery(action._id));
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('bulk.refused', { count: formatCount(action.refused) })}
      close={t('layout.close')}
    >
      <ul className={classes.refused}>
        {refused.data?.pages
          .flatMap(({ results }) => results)
          .map(({ _id, reason }) => (
            <li key={_id}>
              <a href={`/dashboard/messages/details/${_id}`} title={_id}>
                {shortId(_id)}
              </a>{' '}
              {reason}
            </li>
          ))}
      </ul>
      {refused.hasNextPage && (
        <Button
          size="xs"
          variant="default"
          loading={refused.isFetchingNextPage}
          onClick={() => void refused.fetchNextPage()}
        >
          {t('layout.load_more')}
        </Button>
      )}
    </Dialog>
  );
};

const tell = ({ action, changed, state }: BulkAction): void => {
  const count = formatCount(changed);
  if (state === 'STOPPED') toastFailure(t('bulk.stopped', { count }));
  else toastSuccess(action === 'TRANSFER' ? t('transfer.done', { count }) : t('bulk.updated', { count }));
};

interface BulkProgressProps {
  action: BulkAction;
  /** All there is to say of its end was said: it must not be said again. */
  onTold: () => void;
  /** What it changed can be read. */
  onEnd: () => void;
  /** Nothing of it needs to be shown any more. */
  onLeave: () => void;
}

/** How far one has got; then says what came of it, names what was refused, and lets the list be read again. */
export const BulkProgress = ({ action: begun, onTold, onEnd, onLeave }: BulkProgressProps) => {
  const { data } = useQuery(bulkActionQuery(begun._id));
  const action = data?.action ?? begun;
  const [naming, setNaming] = useState(false);
  const told = useStable(onTold);
  const end = useStable((hasRefused: boolean) => {
    onEnd();
    if (!hasRefused) onLeave();
  });
  const isTold = useRef(false);
  const ended = !isRunning(action);
  const { changed, unchanged, refused, total, state } = action;
  useEffect(() => {
    if (!ended || !data || isTold.current) return;
    isTold.current = true;
    tell(data.action);
    const hasRefused = data.action.refused > 0;
    setNaming(hasRefused);
    if (!hasRefused) told();
    setTimeout(() => end(hasRefused), PAUSE_MS);
  }, [ended, data, told, end]);
  if (naming)
    return (
      <Refused
        action={action}
        onClose={() => {
          onTold();
          onLeave();
        }}
      />
    );
  const done = changed + unchanged + refused;
  const gathering = state === 'GATHERING';
  const text = gathering
    ? t('bulk.gathering', { count: formatCount(total) })
    : t('bulk.progress', { done: formatCount(done), total: formatCount(total) });
  return (
    <div className={classes.run}>
      <span>{t(`bulk.run.${action.action}`)}</span>
      <span className={classes.progress}>
        <ProgressBar label={text} share={gathering || total === 0 ? undefined : done / total} />
      </span>
      <span role="status">{text}</span>
      {!ended && (
        <Button
          size="xs"
          variant="default"
          onClick={() =>
            void call('POST /admin/bulkActions/:actionId/stop', { params: { actionId: begun._id } }).catch(
              (error: Error) => toastFailure(error.message),
            )
          }
        >
          {t('bulk.stop')}
        </Button>
      )}
    </div>
  );
};
