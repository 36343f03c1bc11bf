import { Button } from '@mantine/core';
import { IconFileDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { toastFailure } from './toast.ts';

/** Fetches a file; while it comes, the button says so, and why it did not come is told in a toast. */
export const DownloadButton = ({ label, fetch }: { label: string; fetch: () => Promise<unknown> }) => {
  const [loading, setLoading] = useState(false);
  const download = async () => {
    setLoading(true);
    try {
      await fetch();
    } catch (error) {
      toastFailure(error instanceof Error ? error.message : String(error));
    } finally {
      setLoading(false);
    }
  };
  return (
    <Button
      size="md"
      variant="default"
      loading={loading}
      leftSection={<IconFileDownload size={18} aria-hidden="true" />}
      onClick={() => void download()}
    >
      {label}
    </Button>
  );
};
