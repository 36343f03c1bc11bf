import { ApiError } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { endSession } from '../api/session.ts';
import { t } from '../i18n/translate.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
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
    endSession('left');
  } catch (error) {
    // A token that the server no longer knows has ended; any other may go on there until its time is over.
    endSession(error instanceof ApiError && error.status === 401 ? 'left' : 'unconfirmed');
  }
};

export const LogoutDialog = (dialog: LogoutDialogProps) => (
  <ConfirmDialog
    {...dialog}
    onConfirm={() => whileLoading(logOut)}
    title={t('logout.title')}
    cancel={t('layout.cancel')}
    confirm={t('logout.button')}
    close={t('layout.close')}
  >
    <p>{t('logout.text')}</p>
  </ConfirmDialog>
);
