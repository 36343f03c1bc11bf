import classes from './skip-link.module.css';

/** The id of every layout's main region, for the skip link. */
export const CONTENT_ID = 'content';

export const focusContent = () => document.getElementById(CONTENT_ID)?.focus({ preventScroll: true });

/** Moves the focus after a page has opened, unless it is in one of the page's fields already, as on a slow machine. */
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
