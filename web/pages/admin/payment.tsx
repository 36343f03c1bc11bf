import { useNavigate, useSearch } from '@tanstack/react-router';
import { t } from '../../i18n/translate.ts';
import { PaymentsDesk } from '../../payments/payments-desk.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
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
