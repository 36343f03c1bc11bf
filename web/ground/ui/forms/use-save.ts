import { useMutation } from '@tanstack/react-query';
import { useId } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { dropFailure, toastFailure, toastSuccess } from '../feedback/toast.ts';

/**
 * Saves something, shows the server's message as a toast, and reloads everything on the page, because one change may
 * show in several places. Changes are sent in the order in which they were made.
 */
export const useSave = <Input>(save: (input: Input) => Promise<{ message: string }>) => {
  const subject = useId();
  return useMutation({
    mutationFn: save,
    scope: { id: 'save' },
    networkMode: 'always',
    onMutate: () => dropFailure(subject),
    onSuccess: async ({ message }) => {
      toastSuccess(message);
      await queryClient.invalidateQueries();
    },
    onError: (error) => toastFailure(error.message, subject),
  });
};
