import type { MessageStatus } from '../../contract/messages.ts';
import { Tag, type Tone } from '../ui/tag.tsx';

const TONES: Record<MessageStatus, Tone> = {
  PENDING: 'wait',
  SUCCESS: 'good',
  FAILED: 'bad',
  FAILED_WITH_EXCEPTION: 'bad',
  CANCELLED: 'plain',
};

/** The status of a message, as every list and table shows it. */
export const StatusTag = ({ status }: { status: MessageStatus }) => <Tag tone={TONES[status]}>{status}</Tag>;
