import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ResetPasswordForm } from '../../customer/accounts/reset-password-form.tsx';
import { t } from '../../ground/i18n/translate.ts';
import controls from '../../ground/ui/controls.module.css';
import { Outcome } from '../../ground/ui/feedback/outcome.tsx';
import { CardPage } from '../../ground/ui/layout/card-page.tsx';
import { GuestLinks } from './guest-links.tsx';

const route = getRouteApi('/guest/reset-password');

export const ResetPassword = () => {
  const { token = '' } = route.useSearch();
  const [changed, setChanged] = useState(false);
  return (
    <CardPage
      title={t('reset_password.title')}
      intro={changed ? undefined : t('reset_password.intro')}
      links={<GuestLinks />}
    >
      {changed ? (
        <Outcome text={t('reset_password.changed')}>
          <Link to="/dashboard/profile" className={controls.primary}>
            {t('guest.to_profile')}
          </Link>
          <p>{t('reset_password.secrets')}</p>
          <Link to="/dashboard/integration" className={controls.quiet}>
            {t('reset_password.to_secrets')}
          </Link>
        </Outcome>
      ) : (
        <ResetPasswordForm token={token} onSuccess={() => setChanged(true)} />
      )}
    </CardPage>
  );
};
