import type { ReactNode } from 'react';
import type { Upload } from '../../../contract/traffic/uploads.ts';
import { formatCount, formatDuration, formatExactAmount } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import classes from './preflight.module.css';

/** The code that refuses recipients who have opted out. */
const OPTED_OUT = 'E_OPTED_OUT';

const Figure = ({ name, bad = false, children }: { name: string; bad?: boolean; children: ReactNode }) => (
  <div data-bad={bad || undefined}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** The counts of the file, its price, and the balance after it. */
export const PreflightFigures = ({ upload }: { upload: Upload }) => {
  const optedOut = upload.reasons.find(({ code }) => String(code) === OPTED_OUT)?.count ?? 0;
  const { rows, accepted, refused, duplicates, segments, price, balance, balanceAfter } = upload;
  return (
    <dl className={classes.figures}>
      <Figure name={t('send.check.rows')}>{formatCount(rows)}</Figure>
      <Figure name={t('send.check.accepted')}>{formatCount(accepted)}</Figure>
      <Figure name={t('send.check.refused')} bad={refused > 0}>
        {formatCount(refused)}
      </Figure>
      <Figure name={t('send.check.duplicates')}>{formatCount(duplicates)}</Figure>
      <Figure name={t('send.check.opted_out')}>{formatCount(optedOut)}</Figure>
      {upload.channel === 'sms' && <Figure name={t('send.segments')}>{formatCount(segments)}</Figure>}
      <Figure name={t('send.price')}>{formatExactAmount(price)}</Figure>
      <Figure name={t('send.check.balance')}>{formatExactAmount(balance)}</Figure>
      <Figure name={t('send.balance_after')} bad={balanceAfter < 0}>
        {formatExactAmount(balanceAfter)}
      </Figure>
      {accepted > 0 && (
        <Figure name={t('send.check.duration')}>{formatDuration(upload.expectedSeconds)}</Figure>
      )}
    </dl>
  );
};
