import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './dialog.module.css';

interface DialogProps {
  opened: boolean;
  onClose: () => void;
  /** Once it is gone. Who asks for this gives the focus back as well; otherwise what had it before gets it. */
  onClosed?: () => void;
  title: string;
  /** What the cross in the corner is called. */
  close: string;
  children: ReactNode;
}

export const Dialog = ({ opened, onClose, onClosed, title, close, children }: DialogProps) => (
  <Modal
    opened={opened}
    onClose={onClose}
    onExitTransitionEnd={onClosed}
    returnFocus={!onClosed}
    title={title}
    centered
    size={480}
    classNames={{ title: classes.title }}
    closeButtonProps={{ 'aria-label': close }}
  >
    {children}
  </Modal>
);
