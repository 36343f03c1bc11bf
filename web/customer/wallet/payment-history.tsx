import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { t } from '../../ground/i18n/translate.ts';
import { DataList } from '../../ground/ui/data-list/data-list.tsx';
import { Panel } from '../../ground/ui/layout/panel.tsx';
import { useStable } from '../../ground/ui/use-stable.ts';
import { PaymentFacts, paymentColumns } from './payment-columns.tsx';
import { type Payment, paymentsQuery } from './wallet-queries.ts';

interface PaymentHistoryProps {
  accountId: AccountId;
  onResume: (payment: Payment) => void;
}

const idOf = ({ _id }: Payment): string => _id;

export const PaymentHistory = (props: PaymentHistoryProps) => {
  const { accountId } = props;
  const onResume = useStable(props.onResume);
  const history = useInfiniteQuery(paymentsQuery(accountId));
  const payments = useMemo(() => history.data?.pages.flatMap((page) => page.payments) ?? [], [history.data]);
  const columns = useMemo(() => paymentColumns({ accountId, onResume }), [accountId, onResume]);
  return (
    <Panel title={t('payment.history')}>
      <DataList
        name="payments"
        label={t('payment.history')}
        columns={columns}
        rows={payments}
        rowId={idOf}
        query={history}
        failed={t('payment.failed')}
        empty={t('payment.none')}
        panel={{
          title: ({ type }) => t(`payment.type.${type}`),
          content: (payment) => <PaymentFacts payment={payment} />,
        }}
      />
    </Panel>
  );
};
