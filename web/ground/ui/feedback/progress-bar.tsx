import classes from './progress-bar.module.css';

interface ProgressBarProps {
  label: string;
  /** From 0 to 1; undefined while the progress is unknown. */
  share: number | undefined;
}

export const ProgressBar = ({ label, share }: ProgressBarProps) => {
  const percent = share === undefined ? undefined : Math.floor(share * 100);
  return (
    <progress
      className={classes.bar}
      aria-label={label}
      max={100}
      {...(percent !== undefined && { value: percent })}
    />
  );
};
