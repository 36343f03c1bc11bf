import {
  isSoftRelease,
  PHONE_FLAGS,
  PHONE_THROTTLES,
  type PhoneField,
} from '../../../contract/fleet/phone-rules.ts';
import { formatAmount, formatDateTime } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import type { Column } from '../../ground/ui/data-list/column.ts';
import { EditCell } from './edit-cell.tsx';
import { PhoneBadges } from './phone-badges.tsx';
import { fieldText } from './phone-fields.ts';
import type { Phone } from './phones-query.ts';
import { UsageBar } from './usage-bar.tsx';

interface EditColumn {
  width: number;
  value?: (phone: Phone) => string | number;
  /** Not to be edited while the phone is about to be given back. */
  place?: true;
}

const editColumn = (
  field: PhoneField,
  label: () => string,
  { width, value, place }: EditColumn,
): Column<Phone> => ({
  id: field,
  label,
  width,
  kind: 'field',
  sort: 'asc',
  value: value ?? ((phone) => fieldText(phone, field).toLowerCase()),
  cell: (phone) => (
    <EditCell phone={phone} field={field} label={label()} disabled={place && isSoftRelease(phone.remark)} />
  ),
});

const Moment = ({ at }: { at: string | null }) =>
  at ? <time dateTime={at}>{formatDateTime(at)}</time> : '–';

const ORDER = { DOWN: 0, UP: 1, unknown: 2 };
const stateOf = ({ health }: Phone): number =>
  Math.min(ORDER[health.whatsapp], ORDER[health.sms], ORDER[health.smsWeb]);

/** The table's columns, in its order. */
export const PHONE_COLUMNS: Column<Phone>[] = [
  { ...editColumn('name', () => t('phones.name'), { width: 8 }), pinned: true },
  {
    id: 'state',
    label: () => t('phones.state'),
    cell: (phone) => <PhoneBadges phone={phone} />,
    width: 25,
    sort: 'asc',
    value: stateOf,
  },
  {
    id: 'usage',
    label: () => t('phones.usage'),
    cell: (phone) => <UsageBar phone={phone} />,
    width: 7,
    sort: 'desc',
    value: ({ usage }) => usage.countNetShared,
  },
  editColumn('simHost', () => t('phones.sim_host'), { width: 9, place: true }),
  editColumn('port', () => t('phones.port'), { width: 5, place: true }),
  editColumn('whatsappHost', () => t('phones.whatsapp_host'), { width: 9, place: true }),
  editColumn('whatsappHostPort', () => t('phones.whatsapp_port'), { width: 7, place: true }),
  editColumn('whatsappWebHost', () => t('phones.web_host'), { width: 9, place: true }),
  editColumn('phoneNumber', () => t('phones.number'), { width: 8.5 }),
  {
    ...editColumn('estimatedBalance', () => t('phones.balance'), {
      width: 9.75,
      value: ({ estimatedBalance }) => estimatedBalance ?? -1,
    }),
    cell: (phone) => (
      <EditCell phone={phone} field="estimatedBalance" label={t('phones.balance')}>
        {phone.estimatedBalance === null ? '–' : formatAmount(phone.estimatedBalance)}
      </EditCell>
    ),
  },
  editColumn('remark', () => t('phones.remark'), { width: 12 }),
  editColumn('setting', () => t('phones.setting'), { width: 16 }),
  editColumn('transferJobRate', () => t('phones.rate'), {
    width: 8.5,
    value: ({ transferJobRate }) => transferJobRate,
  }),
  {
    id: 'createdAt',
    label: () => t('phones.created'),
    cell: ({ createdAt }) => <Moment at={createdAt} />,
    width: 9,
    sort: 'desc',
    value: ({ createdAt }) => createdAt,
  },
  {
    ...editColumn('startedAt', () => t('phones.started'), {
      width: 9,
      value: ({ startedAt }) => startedAt ?? '',
    }),
    cell: (phone) => (
      <EditCell phone={phone} field="startedAt" label={t('phones.started')}>
        <Moment at={phone.startedAt} />
      </EditCell>
    ),
  },
  editColumn('validityDays', () => t('phones.validity'), {
    width: 7,
    value: ({ validityDays }) => validityDays ?? Number.MAX_SAFE_INTEGER,
  }),
  editColumn('slot', () => t('phones.slot'), { width: 6 }),
  editColumn('IMSI', () => t('phones.imsi'), { width: 9.5 }),
  ...PHONE_FLAGS.map((flag) => editColumn(flag, () => t(`phones.flag.${flag}`), { width: 11 })),
  ...PHONE_THROTTLES.map((throttle) =>
    editColumn(throttle, () => t(`phones.throttle.${throttle}`), {
      width: 6.5,
      value: ({ sendSetting }) => sendSetting.throttle[throttle] ?? Number.MAX_SAFE_INTEGER,
    }),
  ),
  editColumn('carrierAliases', () => t('phones.carriers'), { width: 11 }),
];
