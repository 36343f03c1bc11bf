import { Button, TextInput } from '@mantine/core';
import { IconPlus, IconRefresh, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { formatCount, formatTime } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import { DataList } from '../ui/data-list/data-list.tsx';
import list from '../ui/list.module.css';
import { toastSuccess } from '../ui/toast.ts';
import { AddPhone } from './add-phone.tsx';
import { type Editing, EditingContext } from './edit-cell.tsx';
import { PHONE_COLUMNS } from './phone-columns.tsx';
import { findPhones } from './phone-fields.ts';
import { PhonePanel } from './phone-panel.tsx';
import classes from './phones.module.css';
import { type Phone, phonesQuery } from './phones-query.ts';
import { useEditPhone } from './use-edit-phone.ts';

const REFRESH_EVERY_MS = 60_000;
const NONE: Phone[] = [];
const idOf = ({ _id }: Phone): string => _id;
const nameOf = ({ name }: Phone): string => name;
const panel = { title: nameOf, content: (phone: Phone) => <PhonePanel phone={phone} /> };

interface PhonesListProps {
  /** What is searched for, as the address has it. */
  q: string;
  onSearch: (q: string) => void;
}

/** The inventory as a table whose cells are edited in place. */
export const PhonesList = ({ q, onSearch }: PhonesListProps) => {
  const onEdit = useEditPhone();
  const [drafts] = useState<Editing['drafts']>(() => new Map());
  const editing = useMemo(() => ({ drafts, onEdit }), [drafts, onEdit]);
  const [adding, setAdding] = useState(false);
  const phones = useQuery({ ...phonesQuery, refetchOnMount: 'always' });
  const { refetch } = phones;
  useEffect(() => {
    const timer = setInterval(() => {
      // What is being typed must not change below the reader's hands.
      if (drafts.size === 0) void refetch();
    }, REFRESH_EVERY_MS);
    return () => clearInterval(timer);
  }, [drafts, refetch]);
  const known = phones.isError ? NONE : (phones.data?.phoneNumberInventory ?? NONE);
  const sought = useDeferredValue(q);
  const found = useMemo(() => findPhones(known, sought), [known, sought]);
  const refresh = async () => {
    const { isSuccess } = await refetch();
    if (isSuccess) toastSuccess(t('phones.loaded'));
  };
  return (
    <EditingContext value={editing}>
      <search className={list.filter} aria-label={t('phones.search')}>
        <TextInput
          type="search"
          label={t('lists.search')}
          placeholder={t('phones.search_hint')}
          leftSection={<IconSearch size={17} aria-hidden="true" />}
          maxLength={200}
          value={q}
          onChange={({ currentTarget }) => onSearch(currentTarget.value)}
        />
      </search>
      <div className={classes.frame}>
        <DataList
          name="phones"
          label={t('phones.title')}
          columns={PHONE_COLUMNS}
          rows={found}
          rowId={idOf}
          query={phones}
          failed={t('phones.failed')}
          empty={q ? t('lists.none_fit') : t('phones.none')}
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
          tools={
            <div className={list.tools}>
              <Button
                size="xs"
                variant="default"
                leftSection={<IconRefresh size={16} aria-hidden="true" />}
                loading={phones.isFetching}
                onClick={() => void refresh()}
              >
                {t('phones.refresh')}
              </Button>
              <Button
                size="xs"
                leftSection={<IconPlus size={16} aria-hidden="true" />}
                onClick={() => setAdding(true)}
              >
                {t('phones.add_button')}
              </Button>
            </div>
          }
        />
      </div>
      <AddPhone opened={adding} onClose={() => setAdding(false)} />
    </EditingContext>
  );
};
