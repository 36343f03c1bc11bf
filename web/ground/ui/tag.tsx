import type { ReactNode } from 'react';
import classes from './tag.module.css';

export type Tone = 'good' | 'wait' | 'bad' | 'plain' | 'brass';

/** A short label that classifies something, in a colour that fits its meaning. */
export const Tag = ({ tone, children }: { tone: Tone; children: ReactNode }) => (
  <span className={classes.tag} data-tone={tone}>
    {children}
  </span>
);
