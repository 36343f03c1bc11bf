import { IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { formatMoment } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Tag, type Tone } from '../ui/tag.tsx';
import { toastSuccess } from '../ui/toast.ts';
import classes from './api-calls.module.css';
import { CodeView } from './code-view.tsx';
import type { ApiCall } from './integration-queries.ts';

const toneOf = (status: number): Tone => (status < 400 ? 'good' : status < 500 ? 'wait' : 'bad');

const Answer = ({ call }: { call: ApiCall }) => (
  <div className={classes.answer}>
    <p className={classes.id}>
      {t('integration.request_id')} <code>{call.requestId}</code>
      <CopyButton
        value={call.requestId}
        label={t('integration.copy', { name: t('integration.request_id') })}
        onCopied={() => toastSuccess(t('integration.copied', { name: t('integration.request_id') }))}
      />
    </p>
    {call.answer === null ? (
      <p className={classes.none}>{t('integration.answer_not_kept')}</p>
    ) : (
      <CodeView language="JSON" code={JSON.stringify(call.answer, null, 2)} label={t('integration.answer')} />
    )}
  </div>
);

/** One call as a line; it opens to show the reply. */
export const ApiCallRow = ({ call }: { call: ApiCall }) => {
  const [opened, setOpened] = useState(false);
  const { at, method, path, channel, test, status, code, durationMs } = call;
  return (
    <li>
      <details onToggle={({ currentTarget }) => setOpened(currentTarget.open)}>
        <summary className={classes.line}>
          <IconChevronRight size={18} className={classes.mark} aria-hidden="true" />
          <time className={classes.time} dateTime={at}>
            {formatMoment(at)}
          </time>
          <span className={classes.call}>
            <code>
              {method} {path}
            </code>
            {channel && <Tag tone="plain">{t(`send.channel.${channel}`)}</Tag>}
            {test && <Tag tone="brass">{t('integration.test')}</Tag>}
          </span>
          <span className={classes.end}>
            <Tag tone={toneOf(status)}>{status}</Tag>
            {code && <code className={classes.code}>{code}</code>}
            <span className={classes.duration}>
              {t('integration.milliseconds', { ms: Math.round(durationMs) })}
            </span>
          </span>
        </summary>
        {opened && <Answer call={call} />}
      </details>
    </li>
  );
};
