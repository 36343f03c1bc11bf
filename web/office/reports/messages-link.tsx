import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ReportDimension } from '../../../contract/office/reports.ts';
import type { MessageStatus } from '../../../contract/traffic/messages.ts';
import { useMay } from '../../ground/api/use-may.ts';

interface MessagesLinkProps {
  date: string;
  type?: 'incoming' | 'outgoing';
  status?: MessageStatus;
  dimension: ReportDimension;
  name: string;
  children: ReactNode;
}

/** The filter of Messages that finds what is counted; none for what has no name. */
const filterOf = (dimension: ReportDimension, name: string) => {
  if (name === '') return undefined;
  switch (dimension) {
    case 'channel':
      return { channel: name as 'sms' | 'whatsapp' | 'email' };
    case 'country':
      return { country: name };
    case 'carrier':
      return { carrierNames: [name] };
    case 'provider':
      return { provider: name };
    case 'phone':
      return { phoneId: name };
  }
};

/** Opens the messages that a figure counts, for those who see the messages of all accounts. */
export const MessagesLink = ({
  date,
  type = 'outgoing',
  status,
  dimension,
  name,
  children,
}: MessagesLinkProps) => {
  const may = useMay();
  const filter = filterOf(dimension, name);
  if (!filter || !may('GET /account/:accountId/messages')) return children;
  return (
    <Link
      to="/dashboard/messages"
      search={{ filters: { dateFrom: date, dateTo: date, type, ...(status && { status }), ...filter } }}
    >
      {children}
    </Link>
  );
};
