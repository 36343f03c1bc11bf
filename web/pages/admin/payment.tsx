import { useNavigate, useSearch } from '@tanstack/react-router';
import { t } from '../../ground/i18n/translate.ts';
import { PageTitle } from '../../ground/ui/layout/page-title.tsx';
import { PaymentsDesk } from '../../office/payments/payments-desk.tsx';
import { QfTabs } from './qf-tabs.tsx';

/** For admins: the server refuses all other accounts. */
export const Payment = () => {
  const filter = useSearch({ from: '/qf/payment' });
  const navigate = useNavigate();
  return (
    <>
      <PageTitle title={t('payments_desk.title')} />
      <QfTabs />
      <PaymentsDesk filter={filter} onFilter={(search) => void navigate({ to: '/qf/payment', search })} />
    </>
  );
};
