import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { t } from '../../ground/i18n/translate.ts';
import { ProgressBar } from '../../ground/ui/feedback/progress-bar.tsx';
import { Panel } from '../../ground/ui/layout/panel.tsx';
import classes from './preflight.module.css';
import type { Uploading } from './use-upload.ts';

interface UploadProgressProps {
  uploading: Uploading;
  onCancel: () => void;
}

export const UploadProgress = ({ uploading: { fileName, share }, onCancel }: UploadProgressProps) => {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const checking = share >= 1;
  const label = checking
    ? t('send.csv.checking', { name: fileName })
    : t('send.csv.uploading', { name: fileName });
  return (
    <Panel title={t('send.check')} titleRef={title}>
      <div className={classes.parts}>
        <div>
          <p className={classes.line}>
            <span aria-live="polite">{label}</span>
            {!checking && <span>{`${Math.floor(share * 100)} %`}</span>}
          </p>
          <ProgressBar label={label} share={checking ? undefined : share} />
        </div>
        <div className={classes.buttons}>
          <Button size="md" variant="default" onClick={onCancel}>
            {t('layout.cancel')}
          </Button>
        </div>
      </div>
    </Panel>
  );
};
