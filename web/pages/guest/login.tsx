import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import { LoginForm } from '../../customer/accounts/login-form.tsx';
import { lastSessionEnd, type SessionEnd } from '../../ground/api/session.ts';
import { t } from '../../ground/i18n/translate.ts';
import { CardPage } from '../../ground/ui/layout/card-page.tsx';

const INTROS: Record<SessionEnd, () => string> = {
  left: () => t('login.intro'),
  expired: () => t('login.expired'),
  unconfirmed: () => t('login.unconfirmed'),
  closed: () => t('login.closed'),
};

const route = getRouteApi('/guest/login');

export const Login = () => {
  const router = useRouter();
  const { returnTo } = route.useSearch();
  return (
    <CardPage
      title={t('login.title')}
      intro={INTROS[lastSessionEnd()]()}
      links={
        <>
          <Link to="/forgot-password">{t('guest.to_forgot_password')}</Link>
          <Link to="/register">{t('guest.to_register')}</Link>
        </>
      }
    >
      <LoginForm onSuccess={() => router.history.push(returnTo ?? '/dashboard/profile')} />
    </CardPage>
  );
};
