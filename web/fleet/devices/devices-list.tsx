import { Button } from '@mantine/core';
import { IconDeviceMobilePlus, IconPlus } from '@tabler/icons-react';
import { type ReactNode, useMemo, useState } from 'react';
import type { DeviceId } from '../../../contract/fleet/devices.ts';
import { call } from '../../ground/api/call.ts';
import { t } from '../../ground/i18n/translate.ts';
import { DataList } from '../../ground/ui/data-list/data-list.tsx';
import { NO_ROWS } from '../../ground/ui/data-list/no-rows.ts';
import list from '../../ground/ui/list.module.css';
import { useStable } from '../../ground/ui/use-stable.ts';
import { CreateDevice } from './create-device.tsx';
import { DeleteDevice } from './delete-device.tsx';
import { deviceColumns } from './device-columns.tsx';
import { DevicePanel } from './device-panel.tsx';
import classes from './devices.module.css';
import { type Device, useDevices } from './devices-query.ts';
import { PairDevice } from './pair-device.tsx';
import { useDeviceAct } from './use-device-act.ts';

const POLL_MS = 3_000;
const idOf = ({ deviceId }: Device): DeviceId => deviceId;

/** After these it has no session any more: starting it means pairing it. */
const needsPairing = ({ me, pairedAt, reason }: Device): boolean =>
  me &&
  (pairedAt === null || reason === 'LOGGED_OUT' || reason === 'PHONE_LOST' || reason === 'PAIRING_UNUSED');

const useMoves = (onPair: (deviceId: DeviceId) => void) => {
  const start = useDeviceAct((deviceId: DeviceId) =>
    call('POST /devices/:deviceId/start', { params: { deviceId } }),
  );
  const stop = useDeviceAct((deviceId: DeviceId) =>
    call('POST /devices/:deviceId/stop', { params: { deviceId } }),
  );
  const onStart = useStable((device: Device) =>
    start.mutate(device.deviceId, { onSuccess: () => needsPairing(device) && onPair(device.deviceId) }),
  );
  const onStop = useStable(({ deviceId }: Device) => stop.mutate(deviceId));
  return { onStart, onStop };
};

const Create = ({ onClick }: { onClick: () => void }) => (
  <Button leftSection={<IconPlus size={18} aria-hidden="true" />} onClick={onClick}>
    {t('devices.create')}
  </Button>
);

interface DevicesListProps {
  /** Sees the devices of all accounts. */
  admin: boolean;
  termsLabel: ReactNode;
}

/** The devices, followed as they change, with all that can be done with them. */
export const DevicesList = ({ admin, termsLabel }: DevicesListProps) => {
  const query = useDevices({ all: admin, pollMs: POLL_MS });
  const [creating, setCreating] = useState(false);
  const [pairing, setPairing] = useState<DeviceId>();
  const [deleting, setDeleting] = useState<DeviceId>();
  const { onStart, onStop } = useMoves(setPairing);
  const devices = query.data ?? NO_ROWS;
  const known = (id: DeviceId | undefined) => devices.find(({ deviceId }) => deviceId === id);
  const columns = useMemo(() => {
    const acts = {
      onStart,
      onStop,
      onPair: ({ deviceId }: Device) => setPairing(deviceId),
      onDelete: ({ deviceId }: Device) => setDeleting(deviceId),
    };
    return deviceColumns(acts, admin);
  }, [admin, onStart, onStop]);
  const panel = useMemo(
    () => ({ title: idOf, content: (device: Device) => <DevicePanel device={device} admin={admin} /> }),
    [admin],
  );
  return (
    <>
      {query.data?.length === 0 && !query.isError ? (
        <section className={classes.empty}>
          <IconDeviceMobilePlus size={40} stroke={1.4} aria-hidden="true" />
          <h2>{t('devices.need_more')}</h2>
          <p>{t('devices.need_more_text')}</p>
          <Create onClick={() => setCreating(true)} />
        </section>
      ) : (
        <div className={list.frame}>
          <DataList
            name="devices"
            label={t('devices.list')}
            columns={columns}
            rows={devices}
            rowId={idOf}
            query={query}
            failed={t('devices.failed')}
            empty={t('devices.need_more')}
            expected={3}
            panel={panel}
            tools={<Create onClick={() => setCreating(true)} />}
          />
        </div>
      )}
      <CreateDevice
        opened={creating}
        onClose={() => setCreating(false)}
        onCreated={setPairing}
        termsLabel={termsLabel}
      />
      <PairDevice device={known(pairing)} onStart={onStart} onClose={() => setPairing(undefined)} />
      <DeleteDevice device={known(deleting)} devices={devices} onClose={() => setDeleting(undefined)} />
    </>
  );
};
