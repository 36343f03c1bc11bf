import { useQuery } from '@tanstack/react-query';
import { memo, useCallback, useEffect, useMemo, useState } from 'react';
import type { PhoneNoticeKind } from '../../../contract/fleet/phone-rules.ts';
import { useMay } from '../../ground/api/use-may.ts';
import { formatCount, formatTime } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { DataList } from '../../ground/ui/data-list/data-list.tsx';
import { type Editing, EditingContext } from './edit-cell.tsx';
import { PHONE_COLUMNS } from './phone-columns.tsx';
import { findPhones } from './phone-fields.ts';
import { PhonePanel } from './phone-panel.tsx';
import { PhoneTools } from './phone-tools.tsx';
import classes from './phones.module.css';
import { type Phone, phonesQuery } from './phones-query.ts';
import { useEditPhone } from './use-edit-phone.ts';
import { editedCell, useFaults } from './use-faults.ts';

const REFRESH_EVERY_MS = 60_000;
const NONE: Phone[] = [];
const idOf = ({ _id }: Phone): string => _id;
const nameOf = ({ name }: Phone): string => name;
const panel = { title: nameOf, content: (phone: Phone) => <PhonePanel phone={phone} /> };

interface PhonesTableProps {
  q: string;
  notice: PhoneNoticeKind | undefined;
}

/** The inventory as a table whose cells are edited in place. Memoised: a key in the search does not render it. */
export const PhonesTable = memo(({ q, notice }: PhonesTableProps) => {
  const mayEdit = useMay()('PUT /phoneNumberInventory/:phoneId');
  const { faults, onRefused, forget } = useFaults();
  const edit = useEditPhone(onRefused);
  const [drafts] = useState<Editing['drafts']>(() => new Map());
  const editing = useMemo(() => {
    const onEdit: Editing['onEdit'] = (edited) => {
      forget(editedCell(edited));
      edit(edited);
    };
    return { drafts, onEdit, mayEdit, faults, forget };
  }, [drafts, edit, mayEdit, faults, forget]);
  // New data must not replace what the reader is typing.
  const mayRefresh = useCallback(() => drafts.size === 0, [drafts]);
  const phones = useQuery({
    ...phonesQuery,
    refetchOnMount: 'always',
    refetchOnWindowFocus: mayRefresh,
    refetchOnReconnect: mayRefresh,
  });
  const { refetch } = phones;
  useEffect(() => {
    const timer = setInterval(() => {
      if (mayRefresh()) void refetch();
    }, REFRESH_EVERY_MS);
    return () => clearInterval(timer);
  }, [mayRefresh, refetch]);
  const known = phones.isError ? NONE : (phones.data?.phoneNumberInventory ?? NONE);
  const found = useMemo(() => findPhones(known, q, notice), [known, q, notice]);
  return (
    <EditingContext value={editing}>
      <div className={classes.frame}>
        <DataList
          name="phones"
          label={t('phones.title')}
          columns={PHONE_COLUMNS}
          rows={found}
          rowId={idOf}
          query={phones}
          failed={t('phones.failed')}
          empty={q || notice ? t('lists.none_fit') : t('phones.none')}
          panel={panel}
          boxed
          pages={
            <span className={classes.loaded} role="status">
              {phones.isSuccess &&
                t('phones.loaded_at', {
                  count: formatCount(found.length),
                  time: formatTime(new Date(phones.dataUpdatedAt).toISOString()),
                })}
            </span>
          }
          tools={<PhoneTools refetch={refetch} fetching={phones.isFetching} />}
        />
      </div>
    </EditingContext>
  );
});
