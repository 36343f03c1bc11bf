import { Button, Group, Modal } from '@mantine/core';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { endSession } from '../api/session.ts';
import { t } from '../i18n/translate.ts';
import { whileLoading } from '../ui/loading.ts';

interface LogoutDialogProps {
  opened: boolean;
  onClose: () => void;
  /** Gives the focus back: the menu entry that had it is gone by now. */
  onClosed: () => void;
}

/** Ending the session leads to the sign-in page, whatever the server said: the reader wanted to leave. */
const logOut = async () => {
  try {
    await call('POST /account/logout');
  } catch {
    // The token's lifetime ends it on the server, should the call not have reached it.
  } finally {
    endSession();
  }
};

export const LogoutDialog = ({ opened, onClose, onClosed }: LogoutDialogProps) => {
  const [leaving, setLeaving] = useState(false);
  const leave = async () => {
    setLeaving(true);
    await whileLoading(logOut);
  };
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={onClosed}
      returnFocus={false}
      title={t('logout.title')}
      centered
      closeButtonProps={{ 'aria-label': t('layout.close') }}
    >
      <p>{t('logout.text')}</p>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose} data-autofocus>
          {t('layout.cancel')}
        </Button>
        <Button onClick={leave} loading={leaving}>
          {t('logout.button')}
        </Button>
      </Group>
    </Modal>
  );
};
