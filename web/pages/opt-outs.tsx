import { t } from '../i18n/translate.ts';
import { OptOutsList } from '../opt-outs/opt-outs-list.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { MessagesTabs } from './messages-tabs.tsx';
import { OwnAccount } from './own-account.tsx';

export const OptOuts = () => (
  <div data-wide>
    <PageTitle title={t('opt_outs.title')} />
    <MessagesTabs />
    <OwnAccount>{(accountId) => <OptOutsList accountId={accountId} />}</OwnAccount>
  </div>
);
