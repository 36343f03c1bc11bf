import { formatCount } from '../../../ground/i18n/format.ts';
import { t } from '../../../ground/i18n/translate.ts';
import classes from '../list/message-list.module.css';

interface FoundProps {
  loading: boolean;
  /** Whether the last load failed: nothing is known about how many there are. */
  failed: boolean;
  /** How many messages the earlier pages hold. */
  before: number;
  shown: number;
  total: number;
}

const textOf = ({ failed, before, shown, total }: FoundProps): string => {
  if (failed) return t('messages.not_loaded');
  return t('messages.showing', {
    first: formatCount(shown > 0 ? before + 1 : 0),
    last: formatCount(shown > 0 ? before + shown : 0),
    total: formatCount(total),
  });
};

/** Shows which of how many messages are on the page, or that they are being loaded. */
export const Found = (props: FoundProps) => (
  <p className={classes.found} role="status">
    {props.loading ? (
      <>
        <span className={classes.spinner} aria-hidden="true" />
        {t('messages.loading')}
      </>
    ) : (
      textOf(props)
    )}
  </p>
);
