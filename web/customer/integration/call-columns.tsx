import { formatMoment } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { CopyButton } from '../../ground/ui/copy-button.tsx';
import type { Column } from '../../ground/ui/data-list/column.ts';
import { toastSuccess } from '../../ground/ui/feedback/toast.ts';
import { Facts } from '../../ground/ui/layout/facts.tsx';
import { Tag, type Tone } from '../../ground/ui/tag.tsx';
import classes from './api-calls.module.css';
import { CodeView } from './code-view.tsx';
import type { ApiCall } from './integration-queries.ts';

const toneOf = (status: number): Tone => (status < 400 ? 'good' : status < 500 ? 'wait' : 'bad');

export const callName = ({ method, path }: ApiCall): string => `${method} ${path}`;

const Status = ({ call: { status, code } }: { call: ApiCall }) => (
  <>
    <Tag tone={toneOf(status)}>{status}</Tag>
    {code && <code className={classes.code}> {code}</code>}
  </>
);

const Channel = ({ call: { channel, test } }: { call: ApiCall }) => (
  <span className={classes.tags}>
    {channel && <Tag tone="plain">{t(`send.channel.${channel}`)}</Tag>}
    {test && <Tag tone="brass">{t('integration.test')}</Tag>}
  </span>
);

export const CALL_COLUMNS: Column<ApiCall>[] = [
  {
    id: 'time',
    label: () => t('integration.time'),
    cell: ({ at }) => <time dateTime={at}>{formatMoment(at)}</time>,
    width: 12.5,
    line: 2,
  },
  {
    id: 'call',
    label: () => t('integration.call'),
    cell: (call) => <code className={classes.code}>{callName(call)}</code>,
    width: 12,
    grow: 2,
    line: 1,
  },
  {
    id: 'channel',
    label: () => t('send.channel'),
    cell: (call) => <Channel call={call} />,
    width: 8,
    choice: 'shown',
  },
  {
    id: 'status',
    label: () => t('integration.status'),
    cell: (call) => <Status call={call} />,
    width: 10,
    grow: 1,
    line: 2,
  },
  {
    id: 'duration',
    label: () => t('integration.duration'),
    cell: ({ durationMs }) => t('integration.milliseconds', { ms: Math.round(durationMs) }),
    width: 5,
    kind: 'number',
    line: 1,
  },
];

/** The reply to a call, for the panel beside the list. */
export const CallDetails = ({ call }: { call: ApiCall }) => (
  <>
    <Facts
      facts={[
        { label: t('integration.time'), value: <time dateTime={call.at}>{formatMoment(call.at)}</time> },
        { label: t('integration.status'), value: <Status call={call} /> },
        { label: t('send.channel'), value: (call.channel || call.test) && <Channel call={call} /> },
        {
          label: t('integration.duration'),
          value: t('integration.milliseconds', { ms: Math.round(call.durationMs) }),
        },
        {
          label: t('integration.request_id'),
          value: (
            <span className={classes.tags}>
              <code className={classes.code}>{call.requestId}</code>
              <CopyButton
                value={call.requestId}
                label={t('integration.copy', { name: t('integration.request_id') })}
                onCopied={() => toastSuccess(t('integration.copied', { name: t('integration.request_id') }))}
              />
            </span>
          ),
        },
      ]}
    />
    {call.answer === null ? (
      <p className={classes.none}>{t('integration.answer_not_kept')}</p>
    ) : (
      <CodeView language="JSON" code={JSON.stringify(call.answer, null, 2)} label={t('integration.answer')} />
    )}
  </>
);
