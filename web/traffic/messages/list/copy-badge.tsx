import { IconCopy } from '@tabler/icons-react';
import { copyText } from '../../../ground/ui/copy-text.ts';
import classes from './message-cells.module.css';

export const CopyBadge = ({
  value,
  label,
  text,
}: {
  value: string;
  label: string;
  /** Only the icon is shown without it. */
  text?: string;
}) => (
  <button
    type="button"
    className={classes.badge}
    aria-label={label}
    title={label}
    onClick={() => copyText(value)}
  >
    <IconCopy size={12} aria-hidden="true" />
    {text}
  </button>
);
