import { getRouteApi } from '@tanstack/react-router';
import { AccountSenders } from '../../customer/senders/account-senders.tsx';
import { useMay } from '../../ground/api/use-may.ts';
import { t } from '../../ground/i18n/translate.ts';
import { PageTitle } from '../../ground/ui/layout/page-title.tsx';
import { CustomersDesk } from '../../office/customers/customers-desk.tsx';
import { InvitationsPanel } from '../../office/customers/invitations-panel.tsx';
import { AccountsTabs } from './accounts-tabs.tsx';
import classes from './panels.module.css';

const route = getRouteApi('/dashboard/accounts');

/** For support and finance: the server refuses all others. */
export const Accounts = () => {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay();
  return (
    <>
      <PageTitle title={t('customers.title')} />
      <AccountsTabs />
      <div className={classes.panels}>
        <CustomersDesk
          filter={filter}
          onFilter={(search) => void navigate({ search })}
          more={({ _id }) => may('GET /admin/senders') && <AccountSenders accountId={_id} />}
        />
        {may('GET /admin/invitations') && <InvitationsPanel />}
      </div>
    </>
  );
};
