import type { MessageStatus } from '../../contract/messages.ts';
import type { Tone } from '../ui/tag.tsx';

export const STATUS_TONES: Record<MessageStatus, Tone> = {
  PENDING: 'wait',
  SUCCESS: 'good',
  FAILED: 'bad',
  FAILED_WITH_EXCEPTION: 'bad',
  CANCELLED: 'plain',
};
