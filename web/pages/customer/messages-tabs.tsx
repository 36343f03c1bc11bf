import { t } from '../../ground/i18n/translate.ts';
import { PageTabs } from '../../ground/ui/layout/page-tabs.tsx';

/** The pages about messages. */
export const MessagesTabs = () => (
  <PageTabs
    label={t('route.messages')}
    tabs={[
      { label: t('route.messages'), to: '/dashboard/messages' },
      { label: t('log.title'), to: '/dashboard/messages/log' },
      { label: t('send.title'), to: '/dashboard/messages/send' },
      { label: t('batches.title'), to: '/dashboard/messages/batches' },
      { label: t('contacts.title'), to: '/dashboard/messages/contacts' },
      { label: t('opt_outs.title'), to: '/dashboard/messages/opt-outs' },
    ]}
  />
);
