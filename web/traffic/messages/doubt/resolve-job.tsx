import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { INVALID_CONTACT, type Verdict } from '../../../../contract/traffic/verdicts.ts';
import { call } from '../../../ground/api/call.ts';
import { queryClient } from '../../../ground/api/query-client.ts';
import { t } from '../../../ground/i18n/translate.ts';
import { toastFailure, toastSuccess } from '../../../ground/ui/feedback/toast.ts';
import { ConfirmDialog } from '../../../ground/ui/forms/confirm-dialog.tsx';
import classes from '../list/message-cells.module.css';
import type { ListedMessage } from '../search/list-query.ts';

/** For admins: decides the outcome of a message, after a confirmation. */
export const ResolveJob = ({ message: { _id, status, type } }: { message: ListedMessage }) => {
  const [{ asked, opened }, setAsking] = useState<{ asked: Verdict; opened: boolean }>({
    asked: 'SUCCESS',
    opened: false,
  });
  const { mutateAsync } = useMutation({
    mutationFn: (verdict: Verdict) => {
      const params = { jobId: _id };
      return verdict === 'SUCCESS'
        ? call('POST /message/:jobId/success', { params, body: {} })
        : call('POST /message/:jobId/failed', { params, body: { ...INVALID_CONTACT } });
    },
    networkMode: 'always',
  });
  if (type !== 'outgoing' || status === 'CANCELLED') return null;
  // What was asked stays while the dialog fades out.
  const close = () => setAsking({ asked, opened: false });
  const decide = async () => {
    await mutateAsync(asked).then(
      () => toastSuccess(t('bulk.ok')),
      (error: Error) => toastFailure(error.message),
    );
    close();
    await queryClient.invalidateQueries();
  };
  const verdicts: Verdict[] = ['SUCCESS', 'FAILED'];
  return (
    <>
      {verdicts
        .filter((verdict) => verdict !== status)
        .map((verdict) => (
          <button
            key={verdict}
            type="button"
            className={classes.badge}
            onClick={() => setAsking({ asked: verdict, opened: true })}
          >
            {verdict === 'SUCCESS' ? t('bulk.success') : t('bulk.failed')}
          </button>
        ))}
      <ConfirmDialog
        opened={opened}
        onClose={close}
        onConfirm={decide}
        title={t(`bulk.one.${asked}`)}
        cancel={t('layout.cancel')}
        confirm={t(`bulk.confirm.${asked}`)}
        close={t('layout.close')}
        destructive={asked === 'FAILED'}
      >
        <p>{t(`bulk.hint.${asked}`)}</p>
      </ConfirmDialog>
    </>
  );
};
