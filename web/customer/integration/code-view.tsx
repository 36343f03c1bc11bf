import classes from './code-view.module.css';
import { highlight } from './highlight.ts';

interface CodeViewProps {
  language: string;
  code: string;
  label: string;
}

/** The code scrolls within its own box, so the box must take the focus: else a keyboard could not scroll it. */
export const CodeView = ({ language, code, label }: CodeViewProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: see above.
  <section className={classes.frame} aria-label={label} tabIndex={0}>
    <pre className={classes.code}>
      <code>
        {highlight(language, code).map(({ kind, text }, at) =>
          kind ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no other key.
            <span key={at} data-kind={kind}>
              {text}
            </span>
          ) : (
            text
          ),
        )}
      </code>
    </pre>
  </section>
);
