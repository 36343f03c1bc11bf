import { getRouteApi } from '@tanstack/react-router';
import { t } from '../../ground/i18n/translate.ts';
import { PageTitle } from '../../ground/ui/layout/page-title.tsx';
import { AuditDesk } from '../../office/audit/audit-desk.tsx';
import { AccountsTabs } from './accounts-tabs.tsx';

const route = getRouteApi('/dashboard/audit');

/** For owners: the server refuses all others. */
export const Audit = () => {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <PageTitle title={t('audit.title')} />
      <AccountsTabs />
      <AuditDesk filter={filter} onFilter={(search) => void navigate({ search })} />
    </>
  );
};
