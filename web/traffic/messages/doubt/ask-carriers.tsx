import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { MessageId } from '../../../../contract/traffic/messages.ts';
import { IN_DOUBT_MOST_ASKED } from '../../../../contract/traffic/verdicts.ts';
import { call } from '../../../ground/api/call.ts';
import { formatCount } from '../../../ground/i18n/format.ts';
import { t } from '../../../ground/i18n/translate.ts';
import { toastFailure, toastSuccess } from '../../../ground/ui/feedback/toast.ts';

/** Asks the carriers about messages in doubt; the workers of their lanes do, and the list shows what they say. */
export const AskCarriers = ({ ids, onAsked }: { ids: MessageId[]; onAsked: () => void }) => {
  const { mutate, isPending } = useMutation({
    mutationFn: () => call('POST /admin/inDoubt/ask', { body: { ids } }),
    networkMode: 'always',
    onSuccess: ({ asked }) => {
      toastSuccess(t('doubt.asked_count', { count: formatCount(asked) }));
      onAsked();
    },
    onError: (error) => toastFailure(error.message),
  });
  return (
    <Button
      size="xs"
      variant="default"
      loading={isPending}
      disabled={ids.length > IN_DOUBT_MOST_ASKED}
      onClick={() => mutate()}
    >
      {t('doubt.ask')}
    </Button>
  );
};
