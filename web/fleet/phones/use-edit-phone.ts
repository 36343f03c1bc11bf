import { useMutation } from '@tanstack/react-query';
import type { PhoneEdit, PhoneId } from '../../../contract/fleet/phones.ts';
import { call } from '../../ground/api/call.ts';
import { queryClient } from '../../ground/api/query-client.ts';
import { t } from '../../ground/i18n/translate.ts';
import { openToast } from '../../ground/ui/feedback/toast.ts';
import { withEdit } from './phone-fields.ts';
import { phonesQuery } from './phones-query.ts';

export interface EditedPhone {
  phoneId: PhoneId;
  edit: PhoneEdit;
}

/**
 * Shows an edit at once; if the server refuses it, its message is shown, also to `onRefused`, and the table is read
 * again.
 */
export const useEditPhone = (onRefused: (edited: EditedPhone, message: string) => void) => {
  const { mutate } = useMutation({
    mutationFn: ({ phoneId, edit }: EditedPhone) =>
      call('PUT /phoneNumberInventory/:phoneId', { params: { phoneId }, body: edit }),
    scope: { id: 'phones' },
    networkMode: 'always',
    onMutate: async ({ phoneId, edit }) => {
      const toast = openToast(`phone ${phoneId} ${Object.keys(edit).join()}`, t('phones.updating'));
      await queryClient.cancelQueries(phonesQuery);
      queryClient.setQueryData(
        phonesQuery.queryKey,
        (known) =>
          known && {
            ...known,
            phoneNumberInventory: known.phoneNumberInventory.map((phone) =>
              phone._id === phoneId ? withEdit(phone, edit) : phone,
            ),
          },
      );
      return toast;
    },
    onSuccess: async (_, __, toast) => {
      toast.goOn(t('phones.updated'));
      // A reload that fails is told by the table.
      await queryClient.invalidateQueries(phonesQuery, { throwOnError: true }).then(
        () => toast.succeed(t('phones.loaded')),
        () => toast.succeed(t('phones.updated')),
      );
    },
    onError: (error, edited, toast) => {
      toast?.fail(error.message);
      onRefused(edited, error.message);
      void queryClient.invalidateQueries(phonesQuery);
    },
  });
  return mutate;
};
