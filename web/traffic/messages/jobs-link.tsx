import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../ground/api/call.ts';
import { t } from '../../ground/i18n/translate.ts';
import { toastFailure } from '../../ground/ui/feedback/toast.ts';

interface JobsLinkProps {
  /** Only those that were given up. */
  failed?: boolean;
}

/** Opens the pages of the job queue in a tab of their own: a link that works once stands in for the session. */
export const JobsLink = ({ failed = false }: JobsLinkProps) => {
  const { mutate, isPending } = useMutation({
    mutationFn: () => call('POST /admin/jobs/ticket'),
    networkMode: 'always',
    onSuccess: ({ path }) => void window.open(failed ? `${path}&state=failed` : path, '_blank', 'noopener'),
    onError: (error) => toastFailure(error.message),
  });
  return (
    <Button size="compact-xs" variant="default" loading={isPending} onClick={() => mutate()}>
      {failed ? t('overview.look') : t('queue.jobs')}
    </Button>
  );
};
