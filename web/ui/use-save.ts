import { useMutation } from '@tanstack/react-query';
import { queryClient } from '../api/query-client.ts';
import { toastFailure, toastSuccess } from './toast.ts';

/**
 * Saves something: says in the server's words how it went, and reads anew what is on the page, since one
 * change may show in several places. Changes arrive in the order in which they were made.
 */
export const useSave = <Input>(save: (input: Input) => Promise<{ message: string }>) =>
  useMutation({
    mutationFn: save,
    scope: { id: 'save' },
    networkMode: 'always',
    onSuccess: async ({ message }) => {
      toastSuccess(message);
      await queryClient.invalidateQueries();
    },
    onError: (error) => toastFailure(error.message),
  });
