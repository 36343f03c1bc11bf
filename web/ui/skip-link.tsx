import classes from './skip-link.module.css';

/** Where every layout's main region can be reached at once. */
export const CONTENT_ID = 'content';

export const focusContent = () => document.getElementById(CONTENT_ID)?.focus({ preventScroll: true });

export const SkipLink = ({ label }: { label: string }) => (
  <a
    className={classes.link}
    href={`#${CONTENT_ID}`}
    onClick={(event) => {
      // The address stays as it is: a hash would be a route change.
      event.preventDefault();
      document.getElementById(CONTENT_ID)?.focus();
    }}
  >
    {label}
  </a>
);
