import { formatCount, formatDateTime, regionName } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { Facts } from '../../ground/ui/layout/facts.tsx';
import { DeviceBadges } from './device-columns.tsx';
import { DeviceStatus, whyText } from './device-status.tsx';
import type { Device } from './devices-query.ts';

/** From here on the server counts no further. */
const MANY = 10_000;
export const deviceWaitingText = ({ waiting }: Device): string =>
  formatCount(waiting) + (waiting >= MANY ? '+' : '');

const moment = (at: string | null) => at && formatDateTime(at);
const share = (used: number, most: number) =>
  t('devices.of', { used: formatCount(used), most: formatCount(most) });

/** What the table has no room for: what was asked for and what is, why, and what it may do today. */
export const DevicePanel = ({ device, admin }: { device: Device; admin: boolean }) => {
  const { today } = device;
  return (
    <Facts
      facts={[
        { label: t('devices.status'), value: <DeviceStatus device={device} /> },
        { label: t('devices.wanted'), value: device.wanted },
        { label: t('devices.why'), value: whyText(device) },
        { label: t('devices.since'), value: moment(device.reasonAt) },
        { label: t('devices.waiting'), value: deviceWaitingText(device) },
        { label: t('devices.sent_today'), value: today && share(today.sent, today.mostSent) },
        { label: t('devices.new_today'), value: today && share(today.newContacts, today.mostNewContacts) },
        {
          label: t('devices.warm_up'),
          value: today?.warmUpDay && t('devices.warm_up_day', { day: today.warmUpDay }),
        },
        { label: t('devices.phone'), value: device.phoneNumber },
        {
          label: t('devices.names'),
          value: admin ? <DeviceBadges device={device} /> : device.phoneName,
        },
        { label: t('devices.country'), value: regionName(device.countryCode) },
        { label: t('devices.paired'), value: moment(device.pairedAt) },
        { label: t('devices.created'), value: moment(device.createdAt) },
        { label: t('devices.simulated'), value: device.simulated && t('devices.simulated_text') },
        { label: t('devices.host'), value: admin && [device.host, device.port].filter(Boolean).join(':') },
        { label: t('devices.queue'), value: admin && device.queue },
      ]}
    />
  );
};
