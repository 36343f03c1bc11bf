import { t } from '../../i18n/translate.ts';
import { PageTabs } from '../../ui/page-tabs.tsx';

/** The pages below /qf. */
export const QfTabs = () => (
  <PageTabs
    label={t('qf.title')}
    tabs={[
      { label: t('qf.title'), to: '/qf/query' },
      { label: t('payments_desk.title'), to: '/qf/payment' },
    ]}
  />
);
