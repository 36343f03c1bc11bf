import classes from './progress-line.module.css';

/** A thin line at the very top while something is under way. */
export const ProgressLine = ({ label }: { label: string }) => (
  <div className={classes.line} role="progressbar" aria-label={label} />
);
