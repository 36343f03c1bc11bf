import { getRouteApi } from '@tanstack/react-router';
import { useMay } from '../../api/use-may.ts';
import { CustomersDesk } from '../../customers/customers-desk.tsx';
import { InvitationsPanel } from '../../customers/invitations-panel.tsx';
import { t } from '../../i18n/translate.ts';
import { AccountSenders } from '../../senders/account-senders.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
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
