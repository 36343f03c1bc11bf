import { IconCircleCheck } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import classes from './outcome.module.css';

/** What came of a form, in place of it; it takes the focus, since the form that had it is gone. */
export const Outcome = ({ text, children }: { text: string; children?: ReactNode }) => {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => ref.current?.focus(), []);
  return (
    <div ref={ref} tabIndex={-1} role="status" className={classes.outcome}>
      <IconCircleCheck size={44} stroke={1.5} className={classes.icon} aria-hidden="true" />
      <p>{text}</p>
      {children}
    </div>
  );
};
