import { Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { type Registered as RegisteredProps, RegisterForm } from '../accounts/register-form.tsx';
import { Registered } from '../accounts/registered.tsx';
import { t } from '../i18n/translate.ts';
import { CardPage } from '../ui/card-page.tsx';
import { MailboxLink } from './mailbox-link.tsx';

export const Register = () => {
  const email = useLocation({ select: ({ state }) => state.email ?? '' });
  const [registered, setRegistered] = useState<RegisteredProps>();
  return (
    <CardPage
      title={t('register.title')}
      intro={registered === undefined ? t('register.intro') : undefined}
      links={registered === undefined && <Link to="/login">{t('guest.to_login')}</Link>}
    >
      {registered === undefined ? (
        <RegisterForm email={email} onSuccess={setRegistered} />
      ) : (
        <Registered {...registered}>
          <Link to="/login">{t('register.log_in')}</Link>
          <MailboxLink />
        </Registered>
      )}
    </CardPage>
  );
};
