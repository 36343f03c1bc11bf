import { useRef } from 'react';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { call } from '../../ground/api/call.ts';
import { t } from '../../ground/i18n/translate.ts';
import { ConfirmDialog } from '../../ground/ui/forms/confirm-dialog.tsx';
import { useSave } from '../../ground/ui/forms/use-save.ts';
import type { OptOut } from './opt-out-queries.ts';

interface RemoveOptOutProps {
  accountId: AccountId;
  /** The dialog is open while this is set. */
  optOut: OptOut | undefined;
  onClose: () => void;
}

/** Asks before it removes an opt-out, because the recipient may have asked for it. */
export const RemoveOptOut = ({ accountId, optOut, onClose }: RemoveOptOutProps) => {
  const remove = useSave((optOutId: OptOut['_id']) =>
    call('DELETE /account/:accountId/optOuts/:optOutId', { params: { accountId, optOutId } }),
  );
  // The text stays while the dialog fades out.
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
      destructive
      confirm={t('opt_outs.remove_button')}
      close={t('layout.close')}
    >
      <p>{t('opt_outs.remove_text', { recipient: last.current?.phone ?? '' })}</p>
    </ConfirmDialog>
  );
};
