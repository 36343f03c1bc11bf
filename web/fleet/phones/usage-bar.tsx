import { usageSegments } from '../../../contract/fleet/phone-rules.ts';
import { formatCount } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import classes from './phones.module.css';
import type { Phone } from './phones-query.ts';

/** How much of its ideal volume a phone has sent today, in five parts. */
export const UsageBar = ({ phone }: { phone: Phone }) => {
  const { countNetShared } = phone.usage;
  const { idealVolume = 0 } = phone.setting;
  if (idealVolume === 0) return <span className={classes.none}>{formatCount(countNetShared)}</span>;
  const label = t('phones.used', { used: formatCount(countNetShared), ideal: formatCount(idealVolume) });
  return (
    <span
      className={classes.usage}
      role="img"
      aria-label={label}
      title={label}
      data-over={countNetShared > idealVolume || undefined}
    >
      {usageSegments(countNetShared, idealVolume).map((filled, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other name than their place.
        <span key={at}>
          <span style={{ inlineSize: `${filled * 100}%` }} />
        </span>
      ))}
    </span>
  );
};
