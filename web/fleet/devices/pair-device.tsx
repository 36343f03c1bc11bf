import { Button, Loader } from '@mantine/core';
import { useRef } from 'react';
import { t } from '../../ground/i18n/translate.ts';
import { Notice } from '../../ground/ui/feedback/notice.tsx';
import { Outcome } from '../../ground/ui/feedback/outcome.tsx';
import { Dialog } from '../../ground/ui/forms/dialog.tsx';
import { whyText } from './device-status.tsx';
import classes from './devices.module.css';
import type { Device } from './devices-query.ts';
import { PairByCode } from './pair-by-code.tsx';
import { QrCode } from './qr-code.tsx';

interface PairDeviceProps {
  /** As the list last had it, so that the dialog follows it; the dialog is open while this is set. */
  device: Device | undefined;
  onStart: (device: Device) => void;
  onClose: () => void;
}

type Pairing = NonNullable<Device['pairing']>;

const Code = ({ device, pairing }: { device: Device; pairing: Pairing }) => (
  <>
    {device.simulated && <Notice icon="sandbox" title={t('devices.simulated_pairing')} />}
    <p className={classes.how}>{pairing.kind === 'qr' ? t('devices.scan') : t('devices.type_code')}</p>
    {pairing.kind === 'qr' ? (
      <QrCode text={pairing.text} label={t('devices.qr_of', { device: device.deviceId })} />
    ) : (
      <output className={classes.code}>{pairing.text}</output>
    )}
    <p className={classes.attempt} role="status">
      {t('devices.attempt', { attempt: pairing.attempt, attempts: pairing.attempts })}
    </p>
    {pairing.kind === 'qr' && <PairByCode device={device} />}
  </>
);

const Content = ({ device, onStart, onClose }: PairDeviceProps & { device: Device }) => {
  if (device.status === 'RUNNING')
    return (
      <Outcome text={t('devices.paired_as', { phone: device.phoneNumber })}>
        <Button onClick={onClose}>{t('devices.done')}</Button>
      </Outcome>
    );
  if (device.pairing) return <Code device={device} pairing={device.pairing} />;
  if (device.status === 'STOPPED')
    return (
      <Notice alert title={whyText(device) || t('devices.stopped')}>
        {device.canStart && (
          <Button mt="sm" onClick={() => onStart(device)}>
            {t('devices.start_again')}
          </Button>
        )}
      </Notice>
    );
  return (
    <p className={classes.preparing} role="status">
      <Loader size="sm" aria-hidden="true" /> {t('devices.preparing')}
    </p>
  );
};

/** Pairs a device with its phone: shows the current code, and in the end what became of it. */
export const PairDevice = ({ device, ...acts }: PairDeviceProps) => {
  // The content stays while the dialog fades out.
  const last = useRef(device);
  if (device) last.current = device;
  const shown = last.current;
  return (
    <Dialog
      opened={device !== undefined}
      onClose={acts.onClose}
      title={t('devices.pair_title', { device: shown?.deviceId ?? '' })}
      close={t('layout.close')}
    >
      {shown && (
        <div className={classes.pairing}>
          <Content device={shown} {...acts} />
        </div>
      )}
    </Dialog>
  );
};
