import { IconCopy } from '@tabler/icons-react';
import { copyText } from './copy-text.ts';
import classes from './message-table.module.css';

export const CopyBadge = ({ value, label, text }: { value: string; label: string; text: string }) => (
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
