import type { MessageStatus } from '../../../contract/traffic/messages.ts';

const SOONEST_MS = 3_000;
const LATEST_MS = 60_000;

interface Following {
  status: MessageStatus | 'PENDING' | 'SUCCESS' | 'FAILED';
  createdAt: string;
}

/**
 * When a list that has something PENDING is read again: soon for what began a moment ago, seldom for what waits for
 * hours. False if nothing is.
 */
export const followMs = (shown: Following[], now = Date.now()): number | false => {
  const begun = shown.flatMap(({ status, createdAt }) =>
    status === 'PENDING' ? [Date.parse(createdAt)] : [],
  );
  if (begun.length === 0) return false;
  return Math.min(LATEST_MS, Math.max(SOONEST_MS, (now - Math.max(...begun)) / 4));
};

/** Whether a list that is complete is only read again: nothing on the page has to say so. */
export const isQuiet = ({
  isSuccess,
  isPlaceholderData,
}: {
  isSuccess: boolean;
  isPlaceholderData: boolean;
}) => isSuccess && !isPlaceholderData;
