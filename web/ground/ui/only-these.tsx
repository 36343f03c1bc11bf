import type { ReactNode } from 'react';
import list from './list.module.css';

/** Says that a list shows only some, and leads to all of them. */
export const OnlyThese = ({ what, all }: { what: string; all: ReactNode }) => (
  <p className={list.hint}>
    {what} · {all}
  </p>
);
