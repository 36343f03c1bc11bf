import type { SendOutcome } from '../lanes/index.ts';

export interface RefusalWatch {
  /** For how long it has to refuse everything. */
  afterMs: number;
  onChange: (rejecting: boolean) => void;
  now?: () => number;
}

/**
 * Hears all that a carrier says, and tells when it has put everything off for some time, and when it takes messages
 * again. A refusal for good is an answer like any other: it is the message that is at fault.
 */
export const watchRefusals = ({ afterMs, onChange, now = () => performance.now() }: RefusalWatch) => {
  let since: number | undefined;
  let rejecting = false;
  return (said: SendOutcome): void => {
    if (said.outcome === 'unknown') return;
    if (said.outcome === 'refused' && said.retryable) {
      since ??= now();
      if (rejecting || now() - since < afterMs) return;
      rejecting = true;
      onChange(true);
      return;
    }
    since = undefined;
    if (!rejecting) return;
    rejecting = false;
    onChange(false);
  };
};
