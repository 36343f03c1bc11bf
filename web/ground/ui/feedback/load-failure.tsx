import { IconRefresh } from '@tabler/icons-react';
import { queryClient } from '../../api/query-client.ts';
import controls from '../controls.module.css';
import classes from './load-failure.module.css';

interface LoadFailureProps {
  text: string;
  reason?: string;
  tryAgain: string;
  /** Whether the next try is running. */
  retrying?: boolean;
  onRetry: () => void;
}

/** When the server was away, several parts of a page have failed: one click loads them all again. */
const retryOthers = () =>
  queryClient.refetchQueries({
    type: 'active',
    predicate: ({ state }) => state.status === 'error' && state.fetchStatus === 'idle',
  });

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
      onClick={
        retrying
          ? undefined
          : () => {
              onRetry();
              void retryOthers();
            }
      }
    >
      <IconRefresh size={18} aria-hidden="true" />
      {tryAgain}
    </button>
  </div>
);
