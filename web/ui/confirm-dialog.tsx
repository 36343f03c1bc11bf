import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';

interface ConfirmDialogProps {
  opened: boolean;
  onClose: () => void;
  onConfirm: () => void;
  /** While what was confirmed is under way. */
  working: boolean;
  title: string;
  cancel: string;
  confirm: string;
  close: string;
  children: ReactNode;
}

/** Asks before something is done; the safe answer has the focus. */
export const ConfirmDialog = ({
  onConfirm,
  working,
  cancel,
  confirm,
  children,
  ...dialog
}: ConfirmDialogProps) => (
  <Dialog {...dialog}>
    {children}
    <Group justify="flex-end" mt="lg">
      <Button variant="default" onClick={dialog.onClose} data-autofocus>
        {cancel}
      </Button>
      <Button onClick={onConfirm} loading={working}>
        {confirm}
      </Button>
    </Group>
  </Dialog>
);
