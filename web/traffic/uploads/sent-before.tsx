import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { Upload } from '../../../contract/traffic/uploads.ts';
import { formatCount, formatDateTime } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { Notice } from '../../ground/ui/feedback/notice.tsx';
import { Panel } from '../../ground/ui/layout/panel.tsx';
import classes from './preflight.module.css';

interface SentBeforeProps {
  upload: Upload;
  /** Undefined where the page no longer has the file. */
  onAgain: (() => void) | undefined;
  onShow: () => void;
  onLeave: () => void;
}

/** The same file was sent a short time ago. The second upload may be a mistake, so the reader is asked. */
export const SentBefore = ({ upload, onAgain, onShow, onLeave }: SentBeforeProps) => {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const { fileName, accepted, createdAt } = upload;
  return (
    <Panel title={t('send.check')} titleRef={title}>
      <div className={classes.parts}>
        <Notice
          title={t('send.again.title')}
          text={t('send.again.text', {
            name: fileName,
            time: formatDateTime(createdAt),
            count: formatCount(accepted),
          })}
          alert
        />
        <div className={classes.buttons}>
          {onAgain && (
            <Button size="md" onClick={onAgain}>
              {t('send.again.button')}
            </Button>
          )}
          <Button size="md" variant="default" onClick={onShow}>
            {t('send.again.show')}
          </Button>
          <Button size="md" variant="default" onClick={onLeave}>
            {t('layout.cancel')}
          </Button>
        </div>
      </div>
    </Panel>
  );
};
