import { OptOutsList } from '../../customer/opt-outs/opt-outs-list.tsx';
import { t } from '../../ground/i18n/translate.ts';
import { PageTitle } from '../../ground/ui/layout/page-title.tsx';
import { MessagesTabs } from './messages-tabs.tsx';
import { OwnAccount } from './own-account.tsx';

export const OptOuts = () => (
  <div data-wide>
    <PageTitle title={t('opt_outs.title')} />
    <MessagesTabs />
    <OwnAccount>{(accountId) => <OptOutsList accountId={accountId} />}</OwnAccount>
  </div>
);
