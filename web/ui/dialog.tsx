import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './dialog.module.css';

interface DialogProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** What the cross in the corner is called. */
  close: string;
  children: ReactNode;
}

export const Dialog = ({ opened, onClose, title, close, children }: DialogProps) => (
  <Modal
    opened={opened}
    onClose={onClose}
    title={title}
    centered
    size={480}
    classNames={{ title: classes.title }}
    closeButtonProps={{ 'aria-label': close }}
  >
    {children}
  </Modal>
);
