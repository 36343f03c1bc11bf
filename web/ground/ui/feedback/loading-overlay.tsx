import classes from './loading-overlay.module.css';

/** Covers its positioned parent, so that nothing in it can be clicked while work is running. */
export const LoadingOverlay = ({ label }: { label: string }) => (
  <div className={classes.overlay} role="status">
    <span className={classes.spinner} aria-hidden="true" />
    <span className="visually-hidden">{label}</span>
  </div>
);
