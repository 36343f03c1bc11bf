import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import type { PhoneNoticeKind } from '../../../contract/fleet/phone-rules.ts';
import { t } from '../../ground/i18n/translate.ts';
import list from '../../ground/ui/list.module.css';
import { PhonesTable } from './phones-table.tsx';

interface PhonesListProps {
  /** What is searched for, as the address has it. */
  q: string;
  /** Only phones of which this is wrong. */
  notice: PhoneNoticeKind | undefined;
  onSearch: (q: string) => void;
}

const TYPING_MS = 120;

/** The search, and the phones that it finds. A key is shown at once; the table follows when no other comes. */
export const PhonesList = ({ q, notice, onSearch }: PhonesListProps) => {
  const [sought] = useDebouncedValue(q, TYPING_MS);
  return (
    <>
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
      <PhonesTable q={sought} notice={notice} />
    </>
  );
};
