import type { ListedMessage } from './list-query.ts';

interface Shown {
  /** What was found of the conversation, the newest first. */
  found: ListedMessage[];
  /** Whether there are older ones. */
  more: boolean;
  opened: ListedMessage;
}

/** By the key that the server sorts by. */
const isNewer = (a: ListedMessage, b: ListedMessage): boolean =>
  a.createdAt === b.createdAt ? a._id > b._id : a.createdAt > b.createdAt;

/**
 * The conversation with the message that was opened. One that waits in a very large file is not found by its party
 * until it is sent, but it belongs there all the same.
 */
export const withOpened = ({ found, more, opened }: Shown): ListedMessage[] => {
  if (opened.status !== 'PENDING' || found.some(({ _id }) => _id === opened._id)) return found;
  const place = found.findIndex((message) => isNewer(opened, message));
  if (place === -1) return more ? found : [...found, opened];
  return found.toSpliced(place, 0, opened);
};
