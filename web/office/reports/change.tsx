import { formatChange } from '../../ground/i18n/format.ts';
import classes from './reports.module.css';

/** How much a figure has changed since, below it; nothing if there is nothing to compare it with. */
export const Change = ({ now, before }: { now: number | null; before: number | null | undefined }) => {
  if (now === null || before === null || before === undefined || before === 0) return null;
  return <span className={classes.change}>{formatChange((now - before) / Math.abs(before))}</span>;
};
