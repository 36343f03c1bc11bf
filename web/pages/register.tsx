import { Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { RegisterForm } from '../accounts/register-form.tsx';
import { t } from '../i18n/translate.ts';
import { CardPage } from '../ui/card-page.tsx';
import controls from '../ui/controls.module.css';
import { Outcome } from '../ui/outcome.tsx';
import { MailboxLink } from './mailbox-link.tsx';

export const Register = () => {
  const email = useLocation({ select: ({ state }) => state.email ?? '' });
  const [message, setMessage] = useState<string>();
  return (
    <CardPage
      title={t('register.title')}
      intro={message === undefined ? t('register.intro') : undefined}
      links={message === undefined && <Link to="/login">{t('guest.to_login')}</Link>}
    >
      {message === undefined ? (
        <RegisterForm email={email} onSuccess={setMessage} />
      ) : (
        <Outcome text={message}>
          <Link to="/login" className={controls.primary}>
            {t('register.log_in')}
          </Link>
          <MailboxLink />
        </Outcome>
      )}
    </CardPage>
  );
};
