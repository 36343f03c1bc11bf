import { getRouteApi, Link } from '@tanstack/react-router';
import { ActivationProgress } from '../../customer/accounts/activation-progress.tsx';
import { t } from '../../ground/i18n/translate.ts';
import controls from '../../ground/ui/controls.module.css';
import { Outcome } from '../../ground/ui/feedback/outcome.tsx';
import { CardPage } from '../../ground/ui/layout/card-page.tsx';
import { GuestLinks } from './guest-links.tsx';

const route = getRouteApi('/guest/activate');

export const Activate = () => {
  const { token = '' } = route.useSearch();
  const done = (
    <Outcome text={t('activate.done')}>
      <Link to="/dashboard/profile" className={controls.primary}>
        {t('guest.to_profile')}
      </Link>
    </Outcome>
  );
  return (
    <CardPage title={t('activate.title')} links={<GuestLinks />}>
      <ActivationProgress token={token} done={done} />
    </CardPage>
  );
};
