import type { MessageStatus } from '../../../contract/traffic/messages.ts';
import { t } from '../i18n/translate.ts';
import { Tag, type Tone } from '../ui/tag.tsx';

const TONES: Record<MessageStatus, Tone> = {
  PENDING: 'wait',
  SUCCESS: 'good',
  FAILED: 'bad',
  FAILED_WITH_EXCEPTION: 'wait',
  CANCELLED: 'plain',
};

/** In English the wire's word, which admins read too; of an unknown outcome customers read what it means. */
export const statusText = (status: MessageStatus, admin = false): string =>
  status === 'FAILED_WITH_EXCEPTION' && !admin
    ? t('messages.unknown_outcome')
    : t(`messages.status.${status}`);

/** The status of a message, as every list and table shows it. */
export const StatusTag = ({ status, admin }: { status: MessageStatus; admin?: boolean }) => (
  <Tag tone={TONES[status]}>{statusText(status, admin)}</Tag>
);
