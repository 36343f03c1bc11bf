import type { SendOutcome } from '../lanes/index.ts';

interface RefusalWatch {
  /** How long it has to defer everything. */
  afterMs: number;
  onChange: (rejecting: boolean) => void;
  now?: () => number;
}

/**
 * Watches a carrier's answers, and reports when it has deferred everything for some time, and when it accepts messages
 * again. A final refusal is an answer like any other: the message is at fault.
 */
export const watchRefusals = ({ afterMs, onChange, now = () => performance.now() }: RefusalWatch) => {
  let since: number | undefined;
  let rejecting = false;
  return (said: SendOutcome): void => {
    if (said.outcome === 'unknown' || (said.outcome === 'refused' && said.notBefore)) return;
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
