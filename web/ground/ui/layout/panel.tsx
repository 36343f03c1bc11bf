import { type ReactNode, type RefObject, useId } from 'react';
import classes from './panel.module.css';

interface PanelProps {
  title: string;
  /** Beside the title. */
  tools?: ReactNode;
  /** Lets the title take the focus when the element that had it was removed. */
  titleRef?: RefObject<HTMLHeadingElement | null>;
  children: ReactNode;
}

export const Panel = ({ title, tools, titleRef, children }: PanelProps) => {
  const id = useId();
  return (
    <section className={classes.panel} aria-labelledby={id}>
      <div className={classes.head}>
        <h2 id={id} ref={titleRef} tabIndex={titleRef && -1}>
          {title}
        </h2>
        {tools}
      </div>
      {children}
    </section>
  );
};
