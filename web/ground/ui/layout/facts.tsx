import type { ReactNode } from 'react';
import classes from './facts.module.css';

interface FactsProps {
  /** Facts without a value are left out. */
  facts: { label: string; value: ReactNode }[];
}

const isGiven = (value: ReactNode): boolean =>
  value !== null && value !== undefined && value !== '' && value !== false;

/** Names and values, as the panel beside a list shows them. */
export const Facts = ({ facts }: FactsProps) => (
  <dl className={classes.facts}>
    {facts
      .filter(({ value }) => isGiven(value))
      .map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);
