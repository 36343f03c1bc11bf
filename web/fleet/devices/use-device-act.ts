import { useMutation } from '@tanstack/react-query';
import { useId } from 'react';
import { queryClient } from '../../ground/api/query-client.ts';
import { refreshBalance } from '../../ground/api/refresh-balance.ts';
import { dropFailure, toastFailure, toastSuccess } from '../../ground/ui/feedback/toast.ts';

/** Does something with a device, shows the server's status text or refusal as a toast, and reads the list again. */
export const useDeviceAct = <Given, Status extends { status: string }>(
  act: (given: Given) => Promise<Status>,
) => {
  const subject = useId();
  return useMutation({
    mutationFn: act,
    scope: { id: 'devices' },
    networkMode: 'always',
    onMutate: () => dropFailure(subject),
    onSuccess: ({ status }) => toastSuccess(status),
    onError: (error) => toastFailure(error.message, subject),
    onSettled: async () => {
      // A device that is deleted may give back what its messages cost.
      refreshBalance();
      await queryClient.invalidateQueries({ queryKey: ['devices'] });
    },
  });
};
