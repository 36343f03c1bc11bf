import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './dialog.module.css';

interface DialogProps {
  opened: boolean;
  onClose: () => void;
  /** Called after the dialog has closed; the caller then sets the focus, which otherwise goes back to where it was. */
  onClosed?: () => void;
  title: string;
  /** The label of the close button in the corner. */
  close: string;
  /** Has room for a table. */
  wide?: boolean;
  children: ReactNode;
}

export const Dialog = ({ opened, onClose, onClosed, title, close, wide, children }: DialogProps) => (
  <Modal
    opened={opened}
    onClose={onClose}
    onExitTransitionEnd={onClosed}
    returnFocus={!onClosed}
    title={title}
    centered
    size={wide ? 1_200 : 480}
    classNames={{ title: classes.title }}
    closeButtonProps={{ 'aria-label': close }}
  >
    {children}
  </Modal>
);
