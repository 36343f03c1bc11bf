import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import { LoginForm } from '../accounts/login-form.tsx';
import { sessionExpired } from '../api/session.ts';
import { t } from '../i18n/translate.ts';
import { CardPage } from '../ui/card-page.tsx';

const route = getRouteApi('/guest/login');

export const Login = () => {
  const router = useRouter();
  const { returnTo } = route.useSearch();
  return (
    <CardPage
      title={t('login.title')}
      intro={sessionExpired() ? t('login.expired') : t('login.intro')}
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
