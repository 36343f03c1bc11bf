import type { ReactNode } from 'react';
import classes from './card-page.module.css';

interface CardPageProps {
  title: string;
  intro?: string;
  children: ReactNode;
  /** Links below the card. */
  links: ReactNode;
}

export const CardPage = ({ title, intro, children, links }: CardPageProps) => (
  <div className={classes.page}>
    <div className={classes.card}>
      <h1>{title}</h1>
      {intro && <p className={classes.intro}>{intro}</p>}
      <div className={classes.content}>{children}</div>
    </div>
    <div className={classes.links}>{links}</div>
  </div>
);
