import { Button, Skeleton } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { AccountId } from '../../contract/accounts.ts';
import { t } from '../i18n/translate.ts';
import { LoadFailure } from '../ui/load-failure.tsx';
import { Panel } from '../ui/panel.tsx';
import classes from './payment-history.module.css';
import { PaymentItem } from './payment-item.tsx';
import { type Payment, paymentsQuery } from './wallet-queries.ts';

const Waiting = () => (
  <div className={classes.waiting} aria-busy="true">
    {['first', 'second', 'third'].map((row) => (
      <Skeleton key={row} height={64} radius="md" />
    ))}
  </div>
);

interface PaymentHistoryProps {
  accountId: AccountId;
  onResume: (payment: Payment) => void;
}

export const PaymentHistory = ({ accountId, onResume }: PaymentHistoryProps) => {
  const history = useInfiniteQuery(paymentsQuery(accountId));
  const payments = history.data?.pages.flatMap((page) => page.payments) ?? [];
  return (
    <Panel title={t('payment.history')}>
      {history.isPending && <Waiting />}
      {history.isError && (
        <LoadFailure
          text={t('payment.failed')}
          reason={history.error.message}
          tryAgain={t('layout.try_again')}
          onRetry={history.refetch}
        />
      )}
      {history.isSuccess && payments.length === 0 && <p className={classes.empty}>{t('payment.none')}</p>}
      {payments.length > 0 && (
        <ul className={classes.list}>
          {payments.map((payment) => (
            <PaymentItem key={payment._id} accountId={accountId} payment={payment} onResume={onResume} />
          ))}
        </ul>
      )}
      {history.hasNextPage && (
        <div className={classes.more}>
          <Button
            variant="default"
            loading={history.isFetchingNextPage}
            onClick={() => void history.fetchNextPage()}
          >
            {t('layout.load_more')}
          </Button>
        </div>
      )}
    </Panel>
  );
};
