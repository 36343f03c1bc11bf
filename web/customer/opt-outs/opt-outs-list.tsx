import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconPlus, IconSearch, IconUpload } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { CHANNELS, type Channel } from '../../../contract/ground/channels.ts';
import { download } from '../../ground/api/download.ts';
import { t } from '../../ground/i18n/translate.ts';
import { anyOf } from '../../ground/ui/any-of.ts';
import { DataList } from '../../ground/ui/data-list/data-list.tsx';
import { SaveButton } from '../../ground/ui/forms/save-button.tsx';
import { Panel } from '../../ground/ui/layout/panel.tsx';
import classes from '../../ground/ui/list.module.css';
import { AddOptOut } from './add-opt-out.tsx';
import { ImportOptOuts } from './import-opt-outs.tsx';
import { OptOutFacts, optOutColumns } from './opt-out-columns.tsx';
import { type OptOut, optOutsQuery } from './opt-out-queries.ts';
import { RemoveOptOut } from './remove-opt-out.tsx';

const DEBOUNCE_MS = 200;
const idOf = ({ _id }: OptOut): string => _id;

/** The recipients who no longer want messages from this account. */
export const OptOutsList = ({ accountId }: { accountId: AccountId }) => {
  const [keyword, setKeyword] = useState('');
  const [channel, setChannel] = useState('');
  const [asked] = useDebouncedValue(keyword.trim(), DEBOUNCE_MS);
  const [dialog, setDialog] = useState<'add' | 'import'>();
  const [removing, setRemoving] = useState<OptOut>();
  const filter = { ...(asked && { keyword: asked }), ...(channel && { channel: channel as Channel }) };
  const list = useInfiniteQuery({
    ...optOutsQuery(accountId, filter),
    placeholderData: keepPreviousData,
    // Recipients opt out at any moment.
    refetchOnMount: 'always',
  });
  const optOuts = useMemo(() => list.data?.pages.flatMap((page) => page.optOuts) ?? [], [list.data]);
  const columns = useMemo(() => optOutColumns(setRemoving), []);
  const total = list.data?.pages[0]?.total ?? 0;
  const filtered = asked !== '' || channel !== '';
  const tools = (
    <div className={classes.tools}>
      <Button leftSection={<IconPlus size={18} aria-hidden="true" />} onClick={() => setDialog('add')}>
        {t('opt_outs.add')}
      </Button>
      <Button
        variant="default"
        leftSection={<IconUpload size={18} aria-hidden="true" />}
        onClick={() => setDialog('import')}
      >
        {t('lists.import')}
      </Button>
      <SaveButton
        label={t('lists.export')}
        save={() =>
          download(
            '/account/:accountId/optOuts.csv',
            { params: { accountId }, query: filter },
            'posthorn-opt-outs.csv',
          )
        }
      />
    </div>
  );
  return (
    <Panel title={t('opt_outs.list')} tools={tools}>
      <p className={classes.hint}>{t('opt_outs.hint')}</p>
      <search className={classes.filter} aria-label={t('opt_outs.search')}>
        <TextInput
          type="search"
          label={t('lists.search')}
          placeholder={t('opt_outs.search_hint')}
          leftSection={<IconSearch size={17} aria-hidden="true" />}
          maxLength={320}
          value={keyword}
          onChange={({ currentTarget }) => setKeyword(currentTarget.value)}
        />
        <NativeSelect
          label={t('send.channel')}
          data={anyOf(t('lists.any_channel'), CHANNELS, (value) => t(`send.channel.${value}`))}
          value={channel}
          onChange={({ currentTarget }) => setChannel(currentTarget.value)}
        />
        {list.isSuccess && (
          <p className={classes.found} role="status">
            {t('lists.found', { count: total })}
          </p>
        )}
      </search>
      <DataList
        name="opt-outs"
        label={t('opt_outs.list')}
        columns={columns}
        rows={optOuts}
        rowId={idOf}
        query={list}
        failed={t('opt_outs.failed')}
        empty={filtered ? t('lists.none_fit') : t('opt_outs.none')}
        panel={{ title: ({ phone }) => phone, content: (optOut) => <OptOutFacts optOut={optOut} /> }}
      />
      <AddOptOut accountId={accountId} opened={dialog === 'add'} onClose={() => setDialog(undefined)} />
      <ImportOptOuts
        accountId={accountId}
        opened={dialog === 'import'}
        onClose={() => setDialog(undefined)}
      />
      <RemoveOptOut accountId={accountId} optOut={removing} onClose={() => setRemoving(undefined)} />
    </Panel>
  );
};
