import { t } from '../../ground/i18n/translate.ts';
import { PageTitle } from '../../ground/ui/layout/page-title.tsx';
import list from '../../ground/ui/list.module.css';
import { UnassignedList } from '../../traffic/messages/unassigned-list.tsx';

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
