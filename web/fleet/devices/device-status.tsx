import { formatDateTime } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { Tag, type Tone } from '../../ground/ui/tag.tsx';
import type { Device } from './devices-query.ts';

const TONES: Record<Device['status'], Tone> = { RUNNING: 'good', PENDING: 'wait', STOPPED: 'plain' };
/** It is stopped without its owner's doing. */
const LOST: Device['reason'][] = ['BANNED', 'LOGGED_OUT', 'PHONE_LOST'];

export const DeviceStatus = ({ device: { status, reason } }: { device: Device }) => (
  <Tag tone={LOST.includes(reason) ? 'bad' : TONES[status]}>{t(`devices.status.${status}`)}</Tag>
);

/** Why messages wait although it is RUNNING. */
const holdText = ({ hold }: Device): string => {
  if (hold === null) return '';
  const why = t(`devices.hold.${hold.code}`);
  return t('devices.hold_until', { why, time: formatDateTime(hold.until) });
};

/** Why it does not send, or not all; empty if there is nothing to tell. */
export const whyText = (device: Device): string =>
  device.reason === null ? holdText(device) : t(`devices.reason.${device.reason}`);
