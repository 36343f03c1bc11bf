import { AdminsDesk } from '../../admins/admins-desk.tsx';
import { t } from '../../i18n/translate.ts';
import { PageTitle } from '../../ui/page-title.tsx';
import { AccountsTabs } from './accounts-tabs.tsx';

/** For owners: the server refuses all others. */
export const Admins = () => (
  <>
    <PageTitle title={t('admins.title')} />
    <AccountsTabs />
    <AdminsDesk />
  </>
);
