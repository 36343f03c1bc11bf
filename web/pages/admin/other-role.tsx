import { Link } from '@tanstack/react-router';
import { t } from '../../ground/i18n/translate.ts';
import { Notice } from '../../ground/ui/feedback/notice.tsx';
import { PageTitle } from '../../ground/ui/layout/page-title.tsx';

/** In place of a page whose calls the reader's role may not make. */
export const OtherRole = () => (
  <>
    <PageTitle title={t('other_role.title')} />
    <Notice title={t('other_role.text')}>
      <Link to="/dashboard/overview">{t('other_role.overview')}</Link>
    </Notice>
  </>
);
