import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../../ground/i18n/translate.ts';
import { laneNamesQuery } from '../search/list-query.ts';

interface TargetPhoneProps {
  /** Undefined: where routing sends each. */
  value: string | undefined;
  onChange: (phoneName: string | undefined) => void;
}

/** The phone that messages go to, or Auto. */
export const TargetPhone = ({ value, onChange }: TargetPhoneProps) => {
  const { data } = useQuery(laneNamesQuery);
  const names = [...new Set((data?.lanes ?? []).flatMap(({ phoneName }) => phoneName || []))].sort();
  return (
    <NativeSelect
      label={t('transfer.phone')}
      value={value ?? ''}
      data={[{ value: '', label: t('transfer.auto') }, ...names]}
      onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
    />
  );
};
