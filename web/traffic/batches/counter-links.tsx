import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatCount } from '../../ground/i18n/format.ts';
import type { BatchRecord } from './batch-queries.ts';

export interface CountedAs {
  status: keyof BatchRecord['counts'];
  delivered?: 'true';
}

interface CounterLinkProps {
  batch: BatchRecord;
  count: number;
  which: CountedAs | undefined;
  children?: ReactNode;
}

/** A figure that opens the messages it counts; nothing to open where there are none. */
export const CounterLink = ({ batch, count, which, children }: CounterLinkProps) => {
  const shown = children ?? formatCount(count);
  if (count === 0) return <span>{shown}</span>;
  return (
    <Link to="/dashboard/messages" search={{ filters: { batchId: batch._id, ...which } }}>
      {shown}
    </Link>
  );
};
