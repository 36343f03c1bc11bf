import { Button, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import type { MerchantFound } from '../../../contract/office/query.ts';
import { call } from '../../ground/api/call.ts';
import { queryClient } from '../../ground/api/query-client.ts';
import { t } from '../../ground/i18n/translate.ts';
import { FailureAlert } from '../../ground/ui/feedback/failure-alert.tsx';
import { useKept } from './kept.ts';
import { MerchantCard } from './merchant-card.tsx';
import classes from './query.module.css';
import { type QueryTarget, standingQuery } from './query-queries.ts';

interface MerchantLookupProps {
  place: QueryTarget;
  /** Shows the rows behind a card in the editor. */
  onQuery: (sql: string) => void;
}

/** Finds merchants by whatever is known of them. */
export const MerchantLookup = ({ place, onQuery }: MerchantLookupProps) => {
  const [term, setTerm] = useKept('merchantTerm');
  const lookup = useMutation({
    mutationFn: async (wanted: string): Promise<MerchantFound[]> => {
      const answer = await call('POST /qf/merchants', { body: { ...place, term: wanted } });
      if (!answer.success) throw new Error(answer.msg);
      return answer.data;
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: standingQuery.queryKey }),
    networkMode: 'always',
  });
  const search = (wanted: string) => {
    setTerm(wanted);
    if (wanted.trim()) lookup.mutate(wanted.trim());
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    search(term);
  };
  return (
    <>
      <form className={classes.fields} onSubmit={submit}>
        <TextInput
          className={classes.wide}
          type="search"
          label={t('qf.merchant_term')}
          placeholder={t('qf.merchant_hint')}
          value={term}
          maxLength={200}
          onChange={({ currentTarget }) => setTerm(currentTarget.value)}
        />
        <Button
          type="submit"
          variant="default"
          disabled={!place.database}
          loading={lookup.isPending}
          leftSection={<IconSearch size={17} aria-hidden="true" />}
        >
          {t('qf.merchant_search')}
        </Button>
      </form>
      {lookup.isError && <FailureAlert text={lookup.error.message} />}
      <div role="status">{lookup.data && t('qf.merchants_found', { count: lookup.data.length })}</div>
      {lookup.data && (
        <ul className={classes.cards}>
          {lookup.data.map((found) => (
            <MerchantCard key={found.merchant.id} found={found} onMerchant={search} onQuery={onQuery} />
          ))}
        </ul>
      )}
    </>
  );
};
