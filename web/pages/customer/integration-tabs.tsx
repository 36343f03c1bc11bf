import { t } from '../../ground/i18n/translate.ts';
import { PageTabs } from '../../ground/ui/layout/page-tabs.tsx';

/** The pages below Integration, in their order. */
export const IntegrationTabs = () => (
  <PageTabs
    label={t('route.integration')}
    tabs={[
      { label: t('integration.api'), to: '/dashboard/integration' },
      { label: t('events.title'), to: '/dashboard/integration/events' },
    ]}
  />
);
