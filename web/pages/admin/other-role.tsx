import { Link } from '@tanstack/react-router';
import { t } from '../../i18n/translate.ts';
import { Notice } from '../../ui/notice.tsx';
import { PageTitle } from '../../ui/page-title.tsx';

/** In place of a page whose calls the reader's role may not make. */
export const OtherRole = () => (
  <>
    <PageTitle title={t('other_role.title')} />
    <Notice title={t('other_role.text')}>
      <Link to="/dashboard/overview">{t('other_role.overview')}</Link>
    </Notice>
  </>
);
