import { Button, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconPlus, IconSearch, IconUpload } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { download } from '../../ground/api/download.ts';
import { t } from '../../ground/i18n/translate.ts';
import { DataList } from '../../ground/ui/data-list/data-list.tsx';
import { SaveButton } from '../../ground/ui/forms/save-button.tsx';
import { Panel } from '../../ground/ui/layout/panel.tsx';
import classes from '../../ground/ui/list.module.css';
import { ContactFacts, contactColumns, contactName } from './contact-columns.tsx';
import { ContactDialog, type EditedContact } from './contact-dialog.tsx';
import { type Contact, contactBookQuery } from './contact-queries.ts';
import { ImportContacts } from './import-contacts.tsx';
import { RemoveContact } from './remove-contact.tsx';

const DEBOUNCE_MS = 200;
const idOf = ({ _id }: Contact): string => _id;

interface ContactsListProps {
  accountId: AccountId;
  writeTo: (contact: Contact) => ReactNode;
}

/** The people that the account writes to or has heard from. */
export const ContactsList = ({ accountId, writeTo }: ContactsListProps) => {
  const [keyword, setKeyword] = useState('');
  const [asked] = useDebouncedValue(keyword.trim(), DEBOUNCE_MS);
  const [edited, setEdited] = useState<EditedContact>();
  const [removing, setRemoving] = useState<Contact>();
  const [importing, setImporting] = useState(false);
  const list = useInfiniteQuery({
    ...contactBookQuery(accountId, asked),
    placeholderData: keepPreviousData,
    // New messages add contacts at any moment.
    refetchOnMount: 'always',
  });
  const contacts = useMemo(() => list.data?.pages.flatMap((page) => page.contacts) ?? [], [list.data]);
  const columns = useMemo(
    () => contactColumns({ writeTo, onEdit: setEdited, onRemove: setRemoving }),
    [writeTo],
  );
  const tools = (
    <div className={classes.tools}>
      <Button leftSection={<IconPlus size={18} aria-hidden="true" />} onClick={() => setEdited('new')}>
        {t('contacts.add')}
      </Button>
      <Button
        variant="default"
        leftSection={<IconUpload size={18} aria-hidden="true" />}
        onClick={() => setImporting(true)}
      >
        {t('lists.import')}
      </Button>
      <SaveButton
        label={t('lists.export')}
        save={() =>
          download(
            '/account/:accountId/contacts.csv',
            { params: { accountId }, query: { keyword: asked || undefined } },
            'posthorn-contacts.csv',
          )
        }
      />
    </div>
  );
  return (
    <Panel title={t('contacts.list')} tools={tools}>
      <p className={classes.hint}>{t('contacts.hint')}</p>
      <search className={classes.filter} aria-label={t('contacts.search')}>
        <TextInput
          type="search"
          label={t('lists.search')}
          placeholder={t('contacts.search_hint')}
          leftSection={<IconSearch size={17} aria-hidden="true" />}
          maxLength={320}
          value={keyword}
          onChange={({ currentTarget }) => setKeyword(currentTarget.value)}
        />
      </search>
      <DataList
        name="contacts"
        label={t('contacts.list')}
        columns={columns}
        rows={contacts}
        rowId={idOf}
        query={list}
        failed={t('contacts.failed')}
        empty={asked ? t('lists.none_fit') : t('contacts.none')}
        panel={{ title: contactName, content: (contact) => <ContactFacts contact={contact} /> }}
      />
      <ContactDialog accountId={accountId} edited={edited} onClose={() => setEdited(undefined)} />
      <ImportContacts accountId={accountId} opened={importing} onClose={() => setImporting(false)} />
      <RemoveContact accountId={accountId} contact={removing} onClose={() => setRemoving(undefined)} />
    </Panel>
  );
};
