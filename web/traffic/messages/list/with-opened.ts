import type { ListedMessage } from '../search/list-query.ts';

interface Shown {
  /** The loaded part of the conversation, the newest first. */
  found: ListedMessage[];
  /** Whether there are older ones. */
  more: boolean;
  opened: ListedMessage;
}

/** Compares by the key that the server sorts by. */
const isNewer = (a: ListedMessage, b: ListedMessage): boolean =>
  a.createdAt === b.createdAt ? a._id > b._id : a.createdAt > b.createdAt;

/**
 * The conversation including the opened message. A message that waits in a very large file cannot be found by its
 * recipient until it is sent, but it belongs to the conversation.
 */
export const withOpened = ({ found, more, opened }: Shown): ListedMessage[] => {
  if (opened.status !== 'PENDING' || found.some(({ _id }) => _id === opened._id)) return found;
  const place = found.findIndex((message) => isNewer(opened, message));
  if (place === -1) return more ? found : [...found, opened];
  return found.toSpliced(place, 0, opened);
};
