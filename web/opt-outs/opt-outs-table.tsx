import { IconTrash } from '@tabler/icons-react';
import { formatDateTime } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import controls from '../ui/controls.module.css';
import classes from '../ui/list.module.css';
import { Tag } from '../ui/tag.tsx';
import type { OptOut } from './opt-out-queries.ts';

interface OptOutsTableProps {
  optOuts: OptOut[];
  onRemove: (optOut: OptOut) => void;
}

const Row = ({ optOut, onRemove }: { optOut: OptOut; onRemove: OptOutsTableProps['onRemove'] }) => {
  const { phone, channel, since, source, note } = optOut;
  const remove = t('opt_outs.remove', { recipient: phone });
  const sourceTag = <Tag tone="plain">{t(`opt_outs.source.${source}`)}</Tag>;
  const time = <time dateTime={since}>{formatDateTime(since)}</time>;
  return (
    <tr>
      <td className={classes.text}>
        <span className={classes.strong}>{phone}</span>
        <div className={classes.below}>
          <span className={classes.quiet}>
            {t(`send.channel.${channel}`)} · {time}
          </span>
          {sourceTag}
          {note && <span>{note}</span>}
        </div>
      </td>
      <td className={`${classes.aside} ${classes.short}`}>{t(`send.channel.${channel}`)}</td>
      <td className={`${classes.aside} ${classes.short}`}>{time}</td>
      <td className={classes.aside}>{sourceTag}</td>
      <td className={`${classes.aside} ${classes.text}`}>{note}</td>
      <td className={classes.actions}>
        <button
          type="button"
          className={controls.icon}
          aria-label={remove}
          title={remove}
          onClick={() => onRemove(optOut)}
        >
          <IconTrash size={19} aria-hidden="true" />
        </button>
      </td>
    </tr>
  );
};

export const OptOutsTable = ({ optOuts, onRemove }: OptOutsTableProps) => (
  <table className={classes.table}>
    <thead>
      <tr>
        <th scope="col">{t('opt_outs.recipient')}</th>
        <th scope="col" className={classes.aside}>
          {t('send.channel')}
        </th>
        <th scope="col" className={classes.aside}>
          {t('opt_outs.since')}
        </th>
        <th scope="col" className={classes.aside}>
          {t('opt_outs.source')}
        </th>
        <th scope="col" className={classes.aside}>
          {t('opt_outs.note')}
        </th>
        <th scope="col" className={classes.actions}>
          {t('lists.actions')}
        </th>
      </tr>
    </thead>
    <tbody>
      {optOuts.map((optOut) => (
        <Row key={optOut._id} optOut={optOut} onRemove={onRemove} />
      ))}
    </tbody>
  </table>
);
