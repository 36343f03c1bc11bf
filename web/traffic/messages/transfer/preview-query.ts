import { queryOptions } from '@tanstack/react-query';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { sendRequest } from '../../../ground/api/call.ts';

const dataUrl = (content: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(content);
  });

/** A small copy that the server made: the picture itself, which a stranger sent, is only ever downloaded. */
export const previewQuery = (accountId: AccountId, mediaId: string) =>
  queryOptions({
    queryKey: ['preview', mediaId],
    queryFn: async ({ signal }) => {
      const { content } = await sendRequest('GET', '/account/:accountId/media/:mediaId/preview', {
        params: { accountId, mediaId },
        signal,
      });
      return dataUrl(content);
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
