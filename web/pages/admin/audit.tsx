import { getRouteApi } from '@tanstack/react-router';
import { AuditDesk } from '../../audit/audit-desk.tsx';
import { t } from '../../i18n/translate.ts';
import { PageTitle } from '../../ui/page-title.tsx';
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
