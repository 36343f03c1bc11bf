import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { t } from '../../ground/i18n/translate.ts';
import { Outcome } from '../../ground/ui/feedback/outcome.tsx';
import type { RegisteredAccount as RegisteredProps } from './register-form.tsx';

/** Says where the mail went, and sends it again. Signing in has to wait until its link was followed. */
export const Registered = ({
  email,
  message,
  again,
  children,
}: RegisteredProps & { children: ReactNode }) => {
  const [sending, setSending] = useState(false);
  const [told, setTold] = useState('');
  const sendAgain = async () => {
    setSending(true);
    setTold('');
    try {
      await again();
      setTold(t('register.sent_again'));
    } catch (error) {
      setTold(error instanceof Error ? error.message : String(error));
    } finally {
      setSending(false);
    }
  };
  return (
    <Outcome text={message}>
      <p>
        {t('register.sent_to')} <strong>{email}</strong>
      </p>
      <p>{t('register.not_there')}</p>
      <Button variant="default" loading={sending} onClick={sendAgain}>
        {t('register.send_again')}
      </Button>
      {told && <p>{told}</p>}
      {children}
    </Outcome>
  );
};
