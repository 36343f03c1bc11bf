import { IconRefresh } from '@tabler/icons-react';
import controls from './controls.module.css';
import classes from './load-failure.module.css';

interface LoadFailureProps {
  text: string;
  reason?: string;
  tryAgain: string;
  /** Whether the next try is running. */
  retrying?: boolean;
  onRetry: () => void;
}

/** Something could not be loaded, with a button to try again. */
export const LoadFailure = ({ text, reason, tryAgain, retrying = false, onRetry }: LoadFailureProps) => (
  <div className={classes.failure} role="alert">
    <span>
      {text}
      {reason && <span className={classes.reason}>{reason}</span>}
    </span>
    <button
      type="button"
      className={`${controls.quiet} ${classes.retry}`}
      aria-disabled={retrying}
      onClick={retrying ? undefined : onRetry}
    >
      <IconRefresh size={18} aria-hidden="true" />
      {tryAgain}
    </button>
  </div>
);
