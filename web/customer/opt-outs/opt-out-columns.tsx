import { IconTrash } from '@tabler/icons-react';
import { formatDateTime } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import controls from '../../ground/ui/controls.module.css';
import type { Column } from '../../ground/ui/data-list/column.ts';
import { Facts } from '../../ground/ui/layout/facts.tsx';
import classes from '../../ground/ui/list.module.css';
import { Tag } from '../../ground/ui/tag.tsx';
import type { OptOut } from './opt-out-queries.ts';

const Since = ({ optOut: { since } }: { optOut: OptOut }) => (
  <time dateTime={since}>{formatDateTime(since)}</time>
);

const Recipient = ({ optOut: { phone, contactName } }: { optOut: OptOut }) => (
  <>
    <span className={classes.strong}>{phone}</span>
    {contactName && <span className={classes.quiet}> {contactName}</span>}
  </>
);

const Source = ({ optOut: { source } }: { optOut: OptOut }) => (
  <Tag tone="plain">{t(`opt_outs.source.${source}`)}</Tag>
);

export const optOutColumns = (onRemove: (optOut: OptOut) => void): Column<OptOut>[] => [
  {
    id: 'recipient',
    label: () => t('opt_outs.recipient'),
    cell: (optOut) => <Recipient optOut={optOut} />,
    width: 10,
    grow: 1,
    line: 1,
  },
  {
    id: 'channel',
    label: () => t('send.channel'),
    cell: ({ channel }) => t(`send.channel.${channel}`),
    width: 5.5,
    choice: 'shown',
    line: 2,
  },
  {
    id: 'since',
    label: () => t('opt_outs.since'),
    cell: (optOut) => <Since optOut={optOut} />,
    width: 11.5,
    choice: 'shown',
    line: 2,
  },
  {
    id: 'source',
    label: () => t('opt_outs.source'),
    cell: (optOut) => <Source optOut={optOut} />,
    width: 9,
    choice: 'shown',
    line: 2,
  },
  {
    id: 'note',
    label: () => t('opt_outs.note'),
    cell: ({ note }) => note,
    width: 6,
    grow: 2,
    choice: 'shown',
  },
  {
    id: 'actions',
    label: () => t('lists.actions'),
    cell: (optOut) => {
      const remove = t('opt_outs.remove', { recipient: optOut.phone });
      return (
        <button
          type="button"
          className={controls.icon}
          aria-label={remove}
          title={remove}
          onClick={() => onRemove(optOut)}
        >
          <IconTrash size={19} aria-hidden="true" />
        </button>
      );
    },
    width: 4,
    kind: 'actions',
    line: 1,
  },
];

/** What the panel beside the list says of an opt-out. */
export const OptOutFacts = ({ optOut }: { optOut: OptOut }) => (
  <Facts
    facts={[
      { label: t('opt_outs.recipient'), value: <Recipient optOut={optOut} /> },
      { label: t('send.channel'), value: t(`send.channel.${optOut.channel}`) },
      { label: t('opt_outs.since'), value: <Since optOut={optOut} /> },
      { label: t('opt_outs.source'), value: <Source optOut={optOut} /> },
      { label: t('opt_outs.note'), value: optOut.note },
    ]}
  />
);
