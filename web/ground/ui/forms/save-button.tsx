import { Button } from '@mantine/core';
import { IconFileDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { toastFailure } from '../feedback/toast.ts';

interface SaveButtonProps {
  label: string;
  save: () => Promise<void>;
  size?: 'xs' | 'sm' | 'md';
}

/** Downloads a file; a failure is shown as a toast. */
export const SaveButton = ({ label, save, size = 'sm' }: SaveButtonProps) => {
  const [loading, setLoading] = useState(false);
  const carryOut = async () => {
    setLoading(true);
    try {
      await save();
    } catch (error) {
      toastFailure(error instanceof Error ? error.message : String(error));
    } finally {
      setLoading(false);
    }
  };
  return (
    <Button
      size={size}
      variant="default"
      leftSection={<IconFileDownload size={18} aria-hidden="true" />}
      loading={loading}
      onClick={carryOut}
    >
      {label}
    </Button>
  );
};
