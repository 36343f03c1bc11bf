import type { ReactNode } from 'react';
import classes from './page-title.module.css';

export const PageTitle = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className={classes.row}>
    <h1>{title}</h1>
    {children}
  </div>
);
