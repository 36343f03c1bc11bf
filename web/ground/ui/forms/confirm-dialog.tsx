import { Button, Group } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Dialog } from './dialog.tsx';

interface ConfirmDialogProps {
  opened: boolean;
  onClose: () => void;
  /** Called after the dialog has closed; the caller then sets the focus. */
  onClosed?: () => void;
  /**
   * Called at most once each time the dialog is opened; it must close the dialog, or resolve with false if there is more
   * to ask before it is done.
   */
  onConfirm: () => Promise<unknown>;
  title: string;
  cancel: string;
  confirm: string;
  close: string;
  /** What it does can't be undone: the button is red. */
  destructive?: boolean;
  children: ReactNode;
}

/** Asks before something is done; the safe answer has the focus. What was confirmed can't be cancelled. */
export const ConfirmDialog = ({
  opened,
  onClose,
  onConfirm,
  cancel,
  confirm,
  destructive = false,
  children,
  ...dialog
}: ConfirmDialogProps) => {
  const [working, setWorking] = useState(false);
  const confirmed = useRef(false);
  useEffect(() => {
    if (opened) confirmed.current = false;
  }, [opened]);

  const carryOut = async () => {
    // The second click of a double click may come before the next render, or while the dialog fades out.
    if (confirmed.current) return;
    confirmed.current = true;
    setWorking(true);
    try {
      if ((await onConfirm()) === false) confirmed.current = false;
    } finally {
      setWorking(false);
    }
  };

  return (
    <Dialog {...dialog} opened={opened} onClose={working ? () => undefined : onClose}>
      {children}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose} disabled={working} data-autofocus>
          {cancel}
        </Button>
        <Button onClick={carryOut} loading={working} {...(destructive && { color: 'red.9' })}>
          {confirm}
        </Button>
      </Group>
    </Dialog>
  );
};
