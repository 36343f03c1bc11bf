import { t } from '../../i18n/translate.ts';
import { UnassignedList } from '../../messages/unassigned-list.tsx';
import list from '../../ui/list.module.css';
import { PageTitle } from '../../ui/page-title.tsx';

/** For admins: the server refuses all other accounts. */
export const Unassigned = () => (
  <div data-wide>
    <PageTitle title={t('unassigned.title')} />
    <p className={list.hint}>{t('unassigned.hint')}</p>
    <div className={list.frame}>
      <UnassignedList />
    </div>
  </div>
);
