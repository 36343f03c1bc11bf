import { IconCircleCheck } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import classes from './outcome.module.css';

interface OutcomeProps {
  text: string;
  /** Whether it takes the focus, because the form that had it was removed, unless something inside takes it. */
  focused?: boolean;
  children?: ReactNode;
}

/** The result of a form, shown in its place. */
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
