import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { INVALID_CONTACT } from '../../../../contract/traffic/verdicts.ts';
import { call } from '../../../ground/api/call.ts';
import { formatCount } from '../../../ground/i18n/format.ts';
import { t } from '../../../ground/i18n/translate.ts';
import { toastFailure } from '../../../ground/ui/feedback/toast.ts';
import { ConfirmDialog } from '../../../ground/ui/forms/confirm-dialog.tsx';
import { TargetPhone } from '../transfer/target-phone.tsx';
import type { BulkAction, BulkChoice, BulkTarget } from './bulk-query.ts';

interface BulkActionsProps {
  target: BulkTarget;
  count: number;
  /** It goes on by itself. */
  onBegin: (action: BulkAction) => void;
}

interface Asked {
  action: BulkChoice['action'];
  opened: boolean;
}

/** What an admin can do with many messages at once; each asks first. */
export const BulkActions = ({ target, count, onBegin }: BulkActionsProps) => {
  const [{ action, opened }, setAsked] = useState<Asked>({ action: 'SUCCESS', opened: false });
  const [phoneName, setPhoneName] = useState<string>();
  const { mutateAsync } = useMutation({
    mutationFn: (request: BulkChoice) =>
      call('POST /admin/bulkActions', { body: { ...INVALID_CONTACT, ...target, ...request } }),
    networkMode: 'always',
  });
  // What was asked stays while the dialog fades out.
  const close = () => setAsked({ action, opened: false });
  const begin = async () => {
    const to = action === 'TRANSFER' && phoneName !== undefined ? { phoneName } : {};
    await mutateAsync({ action, ...to }).then(
      (begun) => onBegin(begun.action),
      (error: Error) => toastFailure(error.message),
    );
    close();
  };
  const ask = (wanted: BulkChoice['action']) => () => setAsked({ action: wanted, opened: true });
  const shown = formatCount(count);
  return (
    <>
      <Button size="xs" onClick={ask('SUCCESS')}>
        {t('bulk.success')}
      </Button>
      <Button size="xs" color="red.9" onClick={ask('FAILED')}>
        {t('bulk.failed')}
      </Button>
      <Button size="xs" variant="default" onClick={ask('TRANSFER')}>
        {t('bulk.transfer')}
      </Button>
      <ConfirmDialog
        opened={opened}
        onClose={close}
        onConfirm={begin}
        title={count === 1 ? t(`bulk.one.${action}`) : t(`bulk.title.${action}`, { count: shown })}
        cancel={t('layout.cancel')}
        confirm={t(`bulk.confirm.${action}`)}
        close={t('layout.close')}
        destructive={action === 'FAILED'}
      >
        <p>{t(`bulk.hint.${action}`)}</p>
        {action === 'TRANSFER' && <TargetPhone value={phoneName} onChange={setPhoneName} />}
      </ConfirmDialog>
    </>
  );
};
