import { Button } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Upload } from '../../../contract/traffic/uploads.ts';
import { t } from '../../ground/i18n/translate.ts';
import { FailureAlert } from '../../ground/ui/feedback/failure-alert.tsx';
import { Notice } from '../../ground/ui/feedback/notice.tsx';
import { Panel } from '../../ground/ui/layout/panel.tsx';
import { Tag } from '../../ground/ui/tag.tsx';
import { DownloadRefused } from './download-refused.tsx';
import classes from './preflight.module.css';
import { PreflightFigures } from './preflight-figures.tsx';
import { Refusals } from './refusals.tsx';
import { type SendBody, useCheckedUpload } from './use-checked-upload.ts';

interface PreflightProps {
  upload: Upload;
  /** Lets the reader choose when to send; `read` returns undefined while the choice is incomplete, `label` if it is now. */
  schedule: { fields: ReactNode; read: () => SendBody | undefined; label: string | undefined };
  onSent: (sent: Upload) => void;
  onCancelled: () => void;
}

const Sample = ({ sample }: Pick<Upload, 'sample'>) =>
  sample && (
    <figure className={classes.sample}>
      <figcaption className={classes.quiet}>{t('send.check.sample', { phone: sample.phone })}</figcaption>
      <blockquote>{sample.message}</blockquote>
    </figure>
  );

/** What was found in the file, before anything is sent or charged. */
export const Preflight = ({ upload, schedule, onSent, onCancelled }: PreflightProps) => {
  const { sending, failure, send, cancel } = useCheckedUpload(upload._id, { onSent, onCancelled });
  const submit = () => {
    const body = schedule.read();
    if (body) void send(body);
  };
  const title = useRef<HTMLHeadingElement>(null);
  const alert = useRef<HTMLDivElement>(null);
  useEffect(() => title.current?.focus(), []);
  useEffect(() => {
    if (failure) alert.current?.focus();
  }, [failure]);
  const sendable = upload.accepted > 0;
  return (
    <Panel title={t('send.check')} titleRef={title}>
      <div className={classes.parts}>
        {failure && (
          <FailureAlert
            ref={alert}
            text={failure.message}
            {...(failure.unknown && { reason: t('send.unknown') })}
          />
        )}
        <p className={classes.file}>
          <strong>{upload.fileName}</strong>
          <span className={classes.quiet}>{t(`send.channel.${upload.channel}`)}</span>
          {upload.test && <Tag tone="brass">{t('send.test')}</Tag>}
          <span className={classes.quiet}>{t('send.check.nothing_sent')}</span>
        </p>
        {!sendable && <Notice title={t('send.check.none')} alert />}
        <PreflightFigures upload={upload} />
        {upload.balanceAfter < 0 && (
          <Notice title={t('send.balance_short')} text={t('send.check.short')} alert>
            <Link to="/dashboard/payments">{t('payments.top_up')}</Link>
          </Notice>
        )}
        <Sample sample={upload.sample} />
        {upload.refused > 0 && <Refusals upload={upload} />}
        {sendable && schedule.fields}
        <div className={classes.buttons}>
          {sendable && (
            <Button
              size="md"
              loading={sending}
              leftSection={<IconSend size={18} aria-hidden="true" />}
              onClick={submit}
            >
              {schedule.label ?? t('send.check.send')}
            </Button>
          )}
          <Button size="md" variant="default" disabled={sending} onClick={() => void cancel()}>
            {t('layout.cancel')}
          </Button>
          {upload.refused > 0 && <DownloadRefused uploadId={upload._id} />}
        </div>
      </div>
    </Panel>
  );
};
