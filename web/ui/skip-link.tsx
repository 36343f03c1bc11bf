import classes from './skip-link.module.css';

/** Where every layout's main region can be reached at once. */
export const CONTENT_ID = 'content';

export const focusContent = () => document.getElementById(CONTENT_ID)?.focus({ preventScroll: true });

/** After a page came: whoever is in one of its fields already, on a slow machine, is left there. */
export const focusNewContent = () => {
  const content = document.getElementById(CONTENT_ID);
  const field = document.activeElement?.closest('input, textarea, select');
  if (!field || !content?.contains(field)) focusContent();
};

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
