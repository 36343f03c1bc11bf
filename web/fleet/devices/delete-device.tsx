import { NativeSelect, Radio } from '@mantine/core';
import { useRef, useState } from 'react';
import type { DeviceId } from '../../../contract/fleet/devices.ts';
import { ApiError } from '../../ground/api/api-error.ts';
import { call } from '../../ground/api/call.ts';
import { t } from '../../ground/i18n/translate.ts';
import { ConfirmDialog } from '../../ground/ui/forms/confirm-dialog.tsx';
import { deviceWaitingText } from './device-panel.tsx';
import classes from './devices.module.css';
import type { Device } from './devices-query.ts';
import { useDeviceAct } from './use-device-act.ts';

type Fate = 'move' | 'cancel';

interface WaitingProps {
  /** How many wait, and what is asked. */
  label: string;
  /** Where its messages could go. */
  others: Device[];
  fate: Fate;
  to: string;
  onChange: (chosen: { fate: Fate; to: string }) => void;
}

const nameOf = ({ deviceId, phoneNumber, status }: Device): string =>
  [deviceId, phoneNumber, status].filter(Boolean).join(' · ');

/** What becomes of the messages that wait. */
const Waiting = ({ label, others, fate, to, onChange }: WaitingProps) => (
  <Radio.Group label={label} value={fate} onChange={(chosen) => onChange({ fate: chosen as Fate, to })}>
    <div className={classes.fates}>
      {others.length > 0 && (
        <>
          <Radio value="move" label={t('devices.move')} />
          <NativeSelect
            aria-label={t('devices.move_to')}
            disabled={fate !== 'move'}
            data={others.map((other) => ({ value: other.deviceId, label: nameOf(other) }))}
            value={to}
            onChange={({ currentTarget }) => onChange({ fate, to: currentTarget.value })}
          />
        </>
      )}
      <Radio value="cancel" label={t('devices.cancel_waiting')} />
    </div>
  </Radio.Group>
);

interface DeleteDeviceProps {
  /** As the list last had it; the dialog is open while this is set. */
  device: Device | undefined;
  devices: Device[];
  onClose: () => void;
}

/** Deletes a device after a question; with messages waiting it also asks what becomes of them. */
export const DeleteDevice = ({ device, devices, onClose }: DeleteDeviceProps) => {
  const [chosen, setChosen] = useState<{ fate: Fate; to: string }>();
  // The list counts what waits in it now; the server's refusal also counts what is scheduled.
  const [refusal, setRefusal] = useState('');
  const remove = useDeviceAct(
    ({ deviceId, ...query }: { deviceId: DeviceId; waiting?: Fate; to?: DeviceId }) =>
      call('DELETE /devices/:deviceId', { params: { deviceId }, query }),
  );
  // The text stays while the dialog fades out.
  const last = useRef(device);
  if (device) last.current = device;
  const asked = last.current;
  const others = devices
    .filter(({ deviceId, accountId }) => accountId === asked?.accountId && deviceId !== asked.deviceId)
    .filter(({ reason, simulated }) => reason !== 'BANNED' && simulated === asked?.simulated)
    .sort((one, other) => Number(other.canSend) - Number(one.canSend));
  const known = others.find(({ deviceId }) => deviceId === chosen?.to) ?? others[0];
  const fate = known ? (chosen?.fate ?? 'move') : 'cancel';
  const asks = refusal !== '' || (asked?.waiting ?? 0) > 0;
  const leave = () => {
    setChosen(undefined);
    setRefusal('');
    onClose();
  };
  const confirm = async () => {
    if (!device) return;
    const waiting = asks && { waiting: fate, ...(fate === 'move' && known && { to: known.deviceId }) };
    try {
      await remove.mutateAsync({ deviceId: device.deviceId, ...waiting });
    } catch (error) {
      if (error instanceof ApiError && error.code === 'E_DEVICE_WAITING') {
        setRefusal(error.message);
        return false;
      }
    }
    leave();
  };
  return (
    <ConfirmDialog
      opened={device !== undefined}
      onClose={leave}
      onConfirm={confirm}
      title={t('devices.delete_title')}
      cancel={t('layout.cancel')}
      destructive
      confirm={t('devices.delete')}
      close={t('layout.close')}
    >
      <p className={classes.ask}>{t('devices.delete_ask', { device: asked?.deviceId ?? '' })}</p>
      {asked && asks && (
        <Waiting
          label={refusal || t('devices.delete_waiting', { count: deviceWaitingText(asked) })}
          others={others}
          fate={fate}
          to={known?.deviceId ?? ''}
          onChange={setChosen}
        />
      )}
    </ConfirmDialog>
  );
};
