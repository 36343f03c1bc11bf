import { ApiError } from '../../ground/api/api-error.ts';
import { call } from '../../ground/api/call.ts';
import { endSession } from '../../ground/api/session.ts';
import { t } from '../../ground/i18n/translate.ts';
import { whileLoading } from '../../ground/ui/feedback/loading.ts';
import { ConfirmDialog } from '../../ground/ui/forms/confirm-dialog.tsx';

interface LogoutDialogProps {
  opened: boolean;
  onClose: () => void;
  /** Returns the focus: the menu entry that had it is no longer on the page. */
  onClosed: () => void;
}

/** Ends the session even when the server refuses, because the reader wants to leave; the sign-in page follows. */
const logOut = async () => {
  try {
    await call('POST /account/logout');
    endSession('left');
  } catch (error) {
    // A token that the server no longer knows has ended; any other may stay valid there until it expires.
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
