import { getRouteApi, Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import {
  type RegisteredAccount as RegisteredProps,
  RegisterForm,
} from '../../customer/accounts/register-form.tsx';
import { Registered } from '../../customer/accounts/registered.tsx';
import { t } from '../../ground/i18n/translate.ts';
import { CardPage } from '../../ground/ui/layout/card-page.tsx';
import { startup } from '../../traffic/startup/startup.ts';
import { MailboxLink } from './mailbox-link.tsx';

const route = getRouteApi('/guest/register');

/** Instead of the form: who may register here, and whom to ask. */
const NotOpen = ({ text }: { text: string }) => {
  const { contactEmail } = startup();
  return (
    <>
      <p>{text}</p>
      {contactEmail && (
        <p>
          {t('register.ask')} <a href={`mailto:${contactEmail}`}>{contactEmail}</a>
        </p>
      )}
    </>
  );
};

export const Register = () => {
  const { registration } = startup();
  const { token, email: invited } = route.useSearch();
  const typed = useLocation({ select: ({ state }) => state.email ?? '' });
  const [registered, setRegistered] = useState<RegisteredProps>();
  const content = () => {
    if (registered)
      return (
        <Registered {...registered}>
          <Link to="/login">{t('register.log_in')}</Link>
          <MailboxLink />
        </Registered>
      );
    // Admins come by invitation whoever else may register.
    if (registration === 'closed' && !token) return <NotOpen text={t('register.closed')} />;
    if (registration === 'invitation' && !token) return <NotOpen text={t('register.by_invitation')} />;
    return <RegisterForm email={invited ?? typed} invitation={token} onSuccess={setRegistered} />;
  };
  const intro = token ? t('register.invited') : t('register.intro');
  const isForm = registration === 'open' || token !== undefined;
  return (
    <CardPage
      title={t('register.title')}
      intro={isForm && !registered ? intro : undefined}
      links={registered === undefined && <Link to="/login">{t('guest.to_login')}</Link>}
    >
      {content()}
    </CardPage>
  );
};
