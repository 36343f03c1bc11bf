import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { RefObject } from 'react';
import classes from './failure-alert.module.css';

interface FailureAlertProps {
  text: string;
  reason?: string;
  ref?: RefObject<HTMLDivElement | null>;
}

/** Announced immediately; it can take the focus, so that the Tab key goes on from it. */
export const FailureAlert = ({ text, reason, ref }: FailureAlertProps) => (
  <Alert
    ref={ref}
    tabIndex={-1}
    role="alert"
    variant="outline"
    color="red"
    icon={<IconAlertTriangle aria-hidden="true" />}
    classNames={{ root: classes.alert, message: classes.message, icon: classes.icon }}
  >
    {text}
    {reason && <span className={classes.reason}>{reason}</span>}
  </Alert>
);
