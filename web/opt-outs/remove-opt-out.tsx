import { useRef } from 'react';
import type { AccountId } from '../../contract/accounts.ts';
import { call } from '../api/call.ts';
import { t } from '../i18n/translate.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { useSave } from '../ui/use-save.ts';
import type { OptOut } from './opt-out-queries.ts';

interface RemoveOptOutProps {
  accountId: AccountId;
  /** Asks while there is one. */
  optOut: OptOut | undefined;
  onClose: () => void;
}

/** The recipient's own wish is about to be set aside: asks, and says so. */
export const RemoveOptOut = ({ accountId, optOut, onClose }: RemoveOptOutProps) => {
  const remove = useSave((optOutId: OptOut['_id']) =>
    call('DELETE /account/:accountId/optOuts/:optOutId', { params: { accountId, optOutId } }),
  );
  // What it says stays while it fades away.
  const last = useRef(optOut);
  if (optOut) last.current = optOut;
  return (
    <ConfirmDialog
      opened={optOut !== undefined}
      onClose={onClose}
      onConfirm={async () => {
        if (optOut) await remove.mutateAsync(optOut._id).catch(() => {});
        onClose();
      }}
      title={t('opt_outs.remove_title')}
      cancel={t('layout.cancel')}
      confirm={t('opt_outs.remove_button')}
      close={t('layout.close')}
    >
      <p>{t('opt_outs.remove_text', { recipient: last.current?.phone ?? '' })}</p>
    </ConfirmDialog>
  );
};
