import { useMay } from '../../ground/api/use-may.ts';
import { t } from '../../ground/i18n/translate.ts';
import { PageTabs } from '../../ground/ui/layout/page-tabs.tsx';

/** The pages below /qf that the reader's role may open. */
export const QfTabs = () => {
  const may = useMay();
  return (
    <PageTabs
      label={t('qf.title')}
      tabs={[
        ...(may('GET /qf/zones') ? [{ label: t('qf.title'), to: '/qf/query' as const }] : []),
        ...(may('GET /admin/payments')
          ? [{ label: t('payments_desk.title'), to: '/qf/payment' as const }]
          : []),
      ]}
    />
  );
};
