import { useMay } from '../../ground/api/use-may.ts';
import { t } from '../../ground/i18n/translate.ts';
import { PageTabs } from '../../ground/ui/layout/page-tabs.tsx';

/** Accounts, and for owners admins and what they did. */
export const AccountsTabs = () => {
  const may = useMay();
  if (!may('GET /admin/admins')) return null;
  return (
    <PageTabs
      label={t('customers.title')}
      tabs={[
        { label: t('customers.title'), to: '/dashboard/accounts' },
        { label: t('admins.title'), to: '/dashboard/admins' },
        { label: t('audit.title'), to: '/dashboard/audit' },
      ]}
    />
  );
};
