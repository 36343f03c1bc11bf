import type { ReactNode } from 'react';
import classes from './tag.module.css';

export type Tone = 'good' | 'wait' | 'bad' | 'plain' | 'brass';

/** A word or two that sort a thing, in the colour of what they mean. */
export const Tag = ({ tone, children }: { tone: Tone; children: ReactNode }) => (
  <span className={classes.tag} data-tone={tone}>
    {children}
  </span>
);
