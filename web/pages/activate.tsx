import { getRouteApi, Link } from '@tanstack/react-router';
import { ActivationProgress } from '../accounts/activation-progress.tsx';
import { t } from '../i18n/translate.ts';
import { CardPage } from '../ui/card-page.tsx';
import controls from '../ui/controls.module.css';
import { Outcome } from '../ui/outcome.tsx';
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
