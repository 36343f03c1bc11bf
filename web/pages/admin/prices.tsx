import { t } from '../../i18n/translate.ts';
import { PricesList } from '../../prices/prices-list.tsx';
import list from '../../ui/list.module.css';
import { PageTitle } from '../../ui/page-title.tsx';

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
