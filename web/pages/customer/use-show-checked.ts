import { useNavigate } from '@tanstack/react-router';
import type { Upload } from '../../../contract/traffic/uploads.ts';
import { queryClient } from '../../ground/api/query-client.ts';
import { uploadQuery } from '../../traffic/uploads/upload-queries.ts';

/** Shows what was checked where files are checked, with its price. */
export const useShowChecked = () => {
  const navigate = useNavigate();
  return (checked: Upload) => {
    queryClient.setQueryData(uploadQuery(checked._id).queryKey, checked);
    void navigate({ to: '/dashboard/messages/send', search: { upload: checked._id } });
  };
};
