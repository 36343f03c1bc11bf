import { useQuery } from '@tanstack/react-query';
import { PHONE_SLOTS, type PhoneSlot } from '../../../contract/fleet/phone-rules.ts';
import { formatCount, formatMoment } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import type { Column } from '../../ground/ui/data-list/column.ts';
import { DataList } from '../../ground/ui/data-list/data-list.tsx';
import { Panel } from '../../ground/ui/layout/panel.tsx';
import { Tag } from '../../ground/ui/tag.tsx';
import { devicesQuery, type ReportSlots, slotsQuery } from './report-queries.ts';
import classes from './reports.module.css';

interface Host {
  host: string;
  slots: ReportSlots['ret'][string];
  disabled: PhoneSlot[];
}

const hostOf = ({ host }: Host): string => host;

const Slot = ({ row, slot }: { row: Host; slot: PhoneSlot }) => {
  const inside = row.slots[slot];
  if (!inside) return <span className={classes.none}>–</span>;
  const isDisabled = row.disabled.includes(slot);
  return (
    <span className={classes.slot} title={inside.phoneNumber}>
      <Tag tone={isDisabled ? 'plain' : 'good'}>
        <span className={classes.slotName}>{slot}</span>{' '}
        {isDisabled ? t('report.disabled') : t('report.active')}
      </Tag>
      <span className={classes.inside}>
        {inside.phoneName} · {formatCount(inside.sent)}
      </span>
    </span>
  );
};

const COLUMNS: Column<Host>[] = [
  {
    id: 'host',
    label: () => t('report.host'),
    cell: hostOf,
    value: hostOf,
    width: 8,
    grow: 1,
    sort: 'asc',
    line: 1,
  },
  ...PHONE_SLOTS.map(
    (slot): Column<Host> => ({
      id: slot,
      label: () => slot,
      cell: (row) => <Slot row={row} slot={slot} />,
      width: 7.25,
      line: 2,
    }),
  ),
];

const States = () => {
  const { data } = useQuery(devicesQuery);
  if (!data) return null;
  const count = (state: string) => data.devices.filter((device) => device.state === state).length;
  return (
    <div className={classes.states}>
      <Tag tone="good">
        {t('lane.up')} {formatCount(count('UP'))}
      </Tag>
      <Tag tone={count('DOWN') > 0 ? 'bad' : 'plain'}>
        {t('lane.down')} {formatCount(count('DOWN'))}
      </Tag>
      <span>{t('report.latest_update', { time: formatMoment(data.at) })}</span>
    </div>
  );
};

/** Which slots of which phones send, and what each sent on the day. */
export const PhonesGrid = ({ date }: { date: string | undefined }) => {
  const slots = useQuery(slotsQuery(date));
  const { ret = {}, phoneSlotDisabled = {} } = slots.data ?? {};
  const rows = Object.entries(ret)
    .map(([host, inside]): Host => ({ host, slots: inside, disabled: phoneSlotDisabled[host] ?? [] }))
    .toSorted((a, b) => (a.host < b.host ? -1 : 1));
  return (
    <Panel title={t('report.phones')} tools={<States />}>
      <DataList
        name="report-phones"
        label={t('report.phones')}
        columns={COLUMNS}
        rows={rows}
        rowId={hostOf}
        query={slots}
        failed={t('report.failed')}
        empty={t('report.no_slots')}
        expected={4}
      />
    </Panel>
  );
};
