import { useEffect, useRef, useState } from 'react';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { call } from '../../../ground/api/call.ts';
import { keepInTab, readFromTab } from '../../../ground/api/tab-store.ts';
import { t } from '../../../ground/i18n/translate.ts';
import classes from './bulk.module.css';
import { BulkProgress } from './bulk-progress.tsx';
import { type BulkAction, isRunning } from './bulk-query.ts';

/** The ids of what this tab has begun and not told the end of. */
const KEPT = 'bulk';
const keptOf = (accountId: AccountId): unknown[] => {
  const kept = readFromTab(accountId, KEPT);
  return Array.isArray(kept) ? kept : [];
};

interface BulkRunsProps {
  accountId: AccountId;
  /** Since the page was loaded. */
  begun: BulkAction[];
  /** One has ended, whatever came of it. */
  onEnd: () => void;
}

/** What goes on in the background, also what was begun before the page was loaded again. */
export const BulkRuns = ({ accountId, begun, onEnd }: BulkRunsProps) => {
  const [earlier, setEarlier] = useState<BulkAction[]>([]);
  const [left, setLeft] = useState<string[]>([]);
  const bar = useRef<HTMLElement>(null);
  // Read once: what is followed must not be forgotten before its end was told.
  useEffect(() => {
    const untold = keptOf(accountId);
    void call('GET /admin/bulkActions').then(
      ({ actions }) =>
        setEarlier(
          actions.filter((action) => action.own && (isRunning(action) || untold.includes(action._id))),
        ),
      // The list beside it says that the server can't be reached.
      () => undefined,
    );
  }, [accountId]);
  const runs = [...begun, ...earlier.filter(({ _id }) => !begun.some((one) => one._id === _id))].filter(
    ({ _id }) => !left.includes(_id),
  );
  const latest = begun.at(-1)?._id;
  useEffect(() => {
    if (!latest) return;
    keepInTab(accountId, KEPT, [...keptOf(accountId), latest]);
    // The button that began it is gone with the selection.
    bar.current?.focus();
  }, [accountId, latest]);
  if (runs.length === 0) return null;
  return (
    <section ref={bar} tabIndex={-1} className={classes.runs} aria-label={t('bulk.runs')}>
      {runs.map((action) => (
        <BulkProgress
          key={action._id}
          action={action}
          onTold={() =>
            keepInTab(
              accountId,
              KEPT,
              keptOf(accountId).filter((id) => id !== action._id),
            )
          }
          onEnd={onEnd}
          onLeave={() => setLeft((before) => [...before, action._id])}
        />
      ))}
    </section>
  );
};
