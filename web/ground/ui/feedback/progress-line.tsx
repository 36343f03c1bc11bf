import classes from './progress-line.module.css';

/** A thin line at the top of the page while something is loading. */
export const ProgressLine = ({ label }: { label: string }) => (
  <div className={classes.line} role="progressbar" aria-label={label} />
);
