import { t } from '../../ground/i18n/translate.ts';
import { PageTitle } from '../../ground/ui/layout/page-title.tsx';
import { AdminsDesk } from '../../office/admins/admins-desk.tsx';
import { AccountsTabs } from './accounts-tabs.tsx';

/** For owners: the server refuses all others. */
export const Admins = () => (
  <>
    <PageTitle title={t('admins.title')} />
    <AccountsTabs />
    <AdminsDesk />
  </>
);
