import { useState } from 'react';
import { ForgotPasswordForm } from '../accounts/forgot-password-form.tsx';
import { t } from '../i18n/translate.ts';
import { CardPage } from '../ui/card-page.tsx';
import { Outcome } from '../ui/outcome.tsx';
import { GuestLinks } from './guest-links.tsx';
import { MailboxLink } from './mailbox-link.tsx';

export const ForgotPassword = () => {
  const [sent, setSent] = useState(false);
  return (
    <CardPage
      title={t('forgot_password.title')}
      intro={sent ? undefined : t('forgot_password.intro')}
      links={<GuestLinks />}
    >
      {sent ? (
        <Outcome text={t('forgot_password.sent')}>
          <MailboxLink />
        </Outcome>
      ) : (
        <ForgotPasswordForm onSuccess={() => setSent(true)} />
      )}
    </CardPage>
  );
};
