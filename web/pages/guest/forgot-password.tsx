import { useState } from 'react';
import { ForgotPasswordForm } from '../../customer/accounts/forgot-password-form.tsx';
import { t } from '../../ground/i18n/translate.ts';
import { Outcome } from '../../ground/ui/feedback/outcome.tsx';
import { CardPage } from '../../ground/ui/layout/card-page.tsx';
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
