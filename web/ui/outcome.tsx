import { IconCircleCheck } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import classes from './outcome.module.css';

interface OutcomeProps {
  text: string;
  /** It takes the focus, since the form that had it is gone, unless something inside does. */
  focused?: boolean;
  children?: ReactNode;
}

/** What came of a form, in place of it. */
export const Outcome = ({ text, focused = true, children }: OutcomeProps) => {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (focused) ref.current?.focus();
  }, [focused]);
  return (
    <div ref={ref} tabIndex={-1} role="status" className={classes.outcome}>
      <IconCircleCheck size={44} stroke={1.5} className={classes.icon} aria-hidden="true" />
      <p>{text}</p>
      {children}
    </div>
  );
};
