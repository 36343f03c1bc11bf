import { formatDateTime, formatExactAmount } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import { Tag, type Tone } from '../ui/tag.tsx';
import classes from './ledger.module.css';
import type { LedgerEntry } from './wallet-queries.ts';

const TONES: Record<LedgerEntry['kind'], Tone> = {
  TOP_UP: 'good',
  REFUND: 'good',
  RELEASE: 'plain',
  HOLD: 'plain',
  CAPTURE: 'plain',
  ADJUSTMENT: 'wait',
  REVERSAL: 'bad',
};

const signed = (amount: number) => `${amount > 0 ? '+' : ''}${formatExactAmount(amount)}`;

const Row = ({ entry: { createdAt, kind, description, amount, balance } }: { entry: LedgerEntry }) => {
  const tag = <Tag tone={TONES[kind]}>{t(`ledger.kind.${kind}`)}</Tag>;
  return (
    <tr>
      <td>
        <time className={classes.time} dateTime={createdAt}>
          {formatDateTime(createdAt)}
        </time>
        <div className={classes.below}>{tag}</div>
        <div className={`${classes.below} ${classes.description}`}>{description}</div>
      </td>
      <td className={classes.aside}>{tag}</td>
      <td className={`${classes.aside} ${classes.description}`}>{description}</td>
      <td className={classes.number}>
        <span className={amount > 0 ? classes.gain : classes.loss}>{signed(amount)}</span>
        <div className={`${classes.below} ${classes.quiet}`}>{formatExactAmount(balance)}</div>
      </td>
      <td className={`${classes.number} ${classes.aside}`}>{formatExactAmount(balance)}</td>
    </tr>
  );
};

export const LedgerTable = ({ entries }: { entries: LedgerEntry[] }) => (
  <table className={classes.table}>
    <thead>
      <tr>
        <th scope="col">{t('ledger.time')}</th>
        <th scope="col" className={classes.aside}>
          {t('ledger.kind')}
        </th>
        <th scope="col" className={classes.aside}>
          {t('ledger.description')}
        </th>
        <th scope="col" className={classes.number}>
          {t('ledger.amount')}
          <div className={`${classes.below} ${classes.quiet}`}>{t('ledger.balance')}</div>
        </th>
        <th scope="col" className={`${classes.number} ${classes.aside}`}>
          {t('ledger.balance')}
        </th>
      </tr>
    </thead>
    <tbody>
      {entries.map((entry) => (
        <Row key={entry._id} entry={entry} />
      ))}
    </tbody>
  </table>
);
