import { PricesList } from '../../customer/prices/prices-list.tsx';
import { t } from '../../ground/i18n/translate.ts';
import { PageTitle } from '../../ground/ui/layout/page-title.tsx';
import list from '../../ground/ui/list.module.css';

/** For admins: the server refuses all other accounts. */
export const Prices = () => (
  <div data-wide>
    <PageTitle title={t('prices.title')} />
    <p className={list.hint}>{t('prices.hint')}</p>
    <div className={list.frame}>
      <PricesList />
    </div>
  </div>
);
