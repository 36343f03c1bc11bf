import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconDots, IconPlayerPlay, IconPlayerStop, IconTrash } from '@tabler/icons-react';
import { formatDateTime } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import type { Column } from '../../ground/ui/data-list/column.ts';
import list from '../../ground/ui/list.module.css';
import { Tag } from '../../ground/ui/tag.tsx';
import { DeviceStatus, whyText } from './device-status.tsx';
import classes from './devices.module.css';
import type { Device } from './devices-query.ts';

export interface DeviceActs {
  onStart: (device: Device) => void;
  onStop: (device: Device) => void;
  onDelete: (device: Device) => void;
  onPair: (device: Device) => void;
}

/** Whose it is and what it is called, for admins. */
export const DeviceBadges = ({ device }: { device: Device }) => {
  const { deviceId, me, phoneName, originalName, email } = device;
  return (
    <span className={classes.badges}>
      {me && <Tag tone="brass">{t('devices.me')}</Tag>}
      {phoneName !== deviceId && <Tag tone="plain">{phoneName}</Tag>}
      {originalName !== deviceId && originalName !== phoneName && (
        <Tag tone="plain">{t('devices.original', { name: originalName })}</Tag>
      )}
      {email && <Tag tone="plain">{email}</Tag>}
    </span>
  );
};

const Who = ({ device, admin }: { device: Device; admin: boolean }) => (
  <span className={classes.who}>
    <span className={list.strong}>{device.deviceId}</span>
    {admin ? (
      <DeviceBadges device={device} />
    ) : (
      device.phoneName !== device.deviceId && <span className={list.quiet}>{device.phoneName}</span>
    )}
  </span>
);

const State = ({ device, onPair }: { device: Device } & Pick<DeviceActs, 'onPair'>) => {
  const why = whyText(device);
  return (
    <span className={classes.state}>
      <DeviceStatus device={device} />
      {device.pairing && (
        <Button size="compact-xs" variant="default" onClick={() => onPair(device)}>
          {t('devices.pair')}
        </Button>
      )}
      {why && (
        <span className={classes.why} title={why}>
          {why}
        </span>
      )}
    </span>
  );
};

/** Those that the server would refuse are offered too: its sentence says what has to happen first. */
const Actions = ({ device, onStart, onStop, onDelete }: { device: Device } & DeviceActs) => (
  <Menu position="bottom-end" width={160} hideDetached={false} withInitialFocusPlaceholder={false}>
    <Menu.Target>
      <ActionIcon
        variant="subtle"
        color="gray"
        className={classes.menu}
        aria-label={t('devices.actions_of', { device: device.deviceId })}
        title={t('lists.actions')}
      >
        <IconDots size={18} aria-hidden="true" />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>
      <Menu.Item leftSection={<IconPlayerPlay size={17} />} onClick={() => onStart(device)}>
        {t('devices.start')}
      </Menu.Item>
      <Menu.Item leftSection={<IconPlayerStop size={17} />} onClick={() => onStop(device)}>
        {t('devices.stop')}
      </Menu.Item>
      <Menu.Item leftSection={<IconTrash size={17} />} onClick={() => onDelete(device)}>
        {t('devices.delete')}
      </Menu.Item>
    </Menu.Dropdown>
  </Menu>
);

/** The table's columns, in its order. */
export const deviceColumns = (acts: DeviceActs, admin: boolean): Column<Device>[] => [
  {
    id: 'deviceId',
    label: () => t('devices.id'),
    cell: (device) => <Who device={device} admin={admin} />,
    width: admin ? 20 : 14,
    grow: admin ? 2 : 1,
    sort: 'asc',
    value: ({ deviceId }) => deviceId,
    line: 1,
  },
  {
    id: 'status',
    label: () => t('devices.status'),
    cell: (device) => <State device={device} onPair={acts.onPair} />,
    width: 13,
    grow: admin ? 1 : 2,
    sort: 'asc',
    value: ({ status }) => status,
    line: 2,
  },
  {
    id: 'type',
    label: () => t('devices.type'),
    cell: ({ type }) => type,
    width: 6,
    sort: 'asc',
    value: ({ type }) => type,
  },
  {
    id: 'phone',
    label: () => t('devices.phone'),
    cell: ({ phoneNumber }) => phoneNumber || <span className={list.quiet}>–</span>,
    width: 8.5,
    sort: 'asc',
    value: ({ phoneNumber }) => phoneNumber,
    line: 2,
  },
  {
    id: 'createdAt',
    label: () => t('devices.created'),
    cell: ({ createdAt }) => <time dateTime={createdAt}>{formatDateTime(createdAt)}</time>,
    width: 9,
    sort: 'desc',
    value: ({ createdAt }) => createdAt,
  },
  {
    id: 'actions',
    label: () => t('lists.actions'),
    // Only its owner can do anything with it.
    cell: (device) => device.me && <Actions device={device} {...acts} />,
    width: 4.5,
    kind: 'actions',
    line: 1,
  },
];
