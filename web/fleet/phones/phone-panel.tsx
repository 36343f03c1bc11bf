import { useQuery } from '@tanstack/react-query';
import { formatAmount, formatCount, formatDateTime } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import type { Column } from '../../ground/ui/data-list/column.ts';
import { DataList } from '../../ground/ui/data-list/data-list.tsx';
import { Facts } from '../../ground/ui/layout/facts.tsx';
import { Tag } from '../../ground/ui/tag.tsx';
import { PhoneBadges } from './phone-badges.tsx';
import { balancesQuery, type Phone } from './phones-query.ts';

interface Balance {
  at: string;
  balance: number;
  kind: 'reported' | 'entered' | 'recharge';
}

const COLUMNS: Column<Balance>[] = [
  { id: 'at', label: () => t('phones.balance_at'), cell: ({ at }) => formatDateTime(at), width: 8, line: 1 },
  {
    id: 'balance',
    label: () => t('phones.balance'),
    cell: ({ balance }) => formatAmount(balance),
    width: 8.5,
    kind: 'number',
    line: 1,
  },
  {
    id: 'kind',
    label: () => t('phones.balance_kind'),
    cell: ({ kind }) => (
      <Tag tone={kind === 'recharge' ? 'good' : 'plain'}>{t(`phones.balance_kind.${kind}`)}</Tag>
    ),
    width: 8.5,
    line: 1,
  },
];

const moment = (at: string | null) => at && formatDateTime(at);

/** The setting as it was read, so that nobody has to read JSON; what is not set is left out. */
const settingFacts = ({ shared, idealVolume, isTransferAvailable, distinctRecipients }: Phone['setting']) => [
  { label: t('phones.shared'), value: shared && t('phones.shared_hours', shared) },
  { label: t('phones.ideal_volume'), value: idealVolume && formatCount(idealVolume) },
  { label: t('phones.people'), value: distinctRecipients && formatCount(distinctRecipients) },
  { label: t('phones.transfer'), value: isTransferAvailable === false && t('phones.transfer_no') },
];

/** What the table has no room for: the last sign of life and the history of the balance. */
export const PhonePanel = ({ phone }: { phone: Phone }) => {
  const balances = useQuery(balancesQuery(phone._id));
  return (
    <>
      <Facts
        facts={[
          { label: t('phones.state'), value: <PhoneBadges phone={phone} /> },
          { label: t('phones.number'), value: phone.phoneNumber },
          { label: t('phones.heartbeat'), value: moment(phone.lastHeartbeatAt) ?? t('phones.never') },
          { label: t('phones.slot'), value: phone.slot },
          { label: t('phones.top_up_at'), value: moment(phone.latestTopUpAt) },
          { label: t('phones.remark'), value: phone.remark },
          ...settingFacts(phone.setting),
        ]}
      />
      <h3>{t('phones.balances')}</h3>
      <DataList
        name="phone-balances"
        label={t('phones.balances')}
        columns={COLUMNS}
        rows={balances.data?.balances ?? []}
        rowId={({ at }) => at}
        query={balances}
        failed={t('phones.balances_failed')}
        empty={t('phones.balances_none')}
        expected={3}
      />
    </>
  );
};
