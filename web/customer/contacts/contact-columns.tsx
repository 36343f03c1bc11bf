import { IconPencil, IconTrash, type TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { formatDateTime } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import controls from '../../ground/ui/controls.module.css';
import type { Column } from '../../ground/ui/data-list/column.ts';
import { Facts } from '../../ground/ui/layout/facts.tsx';
import classes from '../../ground/ui/list.module.css';
import { Tag } from '../../ground/ui/tag.tsx';
import type { Contact } from './contact-queries.ts';

export interface ContactActs {
  /** A link to write a message to the contact. */
  writeTo: (contact: Contact) => ReactNode;
  onEdit: (contact: Contact) => void;
  onRemove: (contact: Contact) => void;
}

export const contactName = ({ name, phone }: Contact): string => name || phone;

const Who = ({ contact: { name, phone } }: { contact: Contact }) => (
  <>
    <span className={classes.strong}>{name || phone}</span>
    {name && <span className={classes.quiet}> {phone}</span>}
  </>
);

const OptedOut = ({ contact: { optedOut } }: { contact: Contact }) =>
  optedOut.length > 0 && (
    <span className={classes.tags}>
      {optedOut.map((channel) => (
        <Tag key={channel} tone="bad">
          {t('contacts.opted_out_of', { channel: t(`send.channel.${channel}`) })}
        </Tag>
      ))}
    </span>
  );

const LastMessage = ({ contact: { lastMessageAt, channel } }: { contact: Contact }) =>
  lastMessageAt === null ? (
    <span className={classes.quiet}>{t('contacts.no_message')}</span>
  ) : (
    <>
      <time dateTime={lastMessageAt}>{formatDateTime(lastMessageAt)}</time>
      {channel && <span className={classes.quiet}> · {t(`send.channel.${channel}`)}</span>}
    </>
  );

const Act = ({ label, icon: Icon, onClick }: { label: string; icon: TablerIcon; onClick: () => void }) => (
  <button type="button" className={controls.icon} aria-label={label} title={label} onClick={onClick}>
    <Icon size={19} aria-hidden="true" />
  </button>
);

const Acts = ({ contact, writeTo, onEdit, onRemove }: ContactActs & { contact: Contact }) => {
  const who = { contact: contactName(contact) };
  return (
    <>
      {writeTo(contact)}
      <Act label={t('contacts.edit', who)} icon={IconPencil} onClick={() => onEdit(contact)} />
      <Act label={t('contacts.remove', who)} icon={IconTrash} onClick={() => onRemove(contact)} />
    </>
  );
};

export const contactColumns = (acts: ContactActs): Column<Contact>[] => [
  {
    id: 'contact',
    label: () => t('contacts.contact'),
    cell: (contact) => <Who contact={contact} />,
    width: 12,
    grow: 2,
    line: 1,
  },
  {
    id: 'last',
    label: () => t('contacts.last_message'),
    cell: (contact) => <LastMessage contact={contact} />,
    width: 14,
    choice: 'shown',
    line: 2,
  },
  {
    id: 'opted-out',
    label: () => t('contacts.opted_out'),
    cell: (contact) => <OptedOut contact={contact} />,
    width: 9,
    grow: 1,
    choice: 'shown',
    line: 2,
  },
  {
    id: 'notes',
    label: () => t('contacts.notes'),
    cell: ({ notes }) => notes,
    width: 6,
    grow: 2,
    choice: 'shown',
  },
  {
    id: 'actions',
    label: () => t('lists.actions'),
    cell: (contact) => <Acts contact={contact} {...acts} />,
    width: 7.5,
    kind: 'actions',
    line: 1,
  },
];

/** What the panel beside the list says of a contact. */
export const ContactFacts = ({ contact }: { contact: Contact }) => (
  <Facts
    facts={[
      { label: t('contacts.contact'), value: <Who contact={contact} /> },
      { label: t('contacts.last_message'), value: <LastMessage contact={contact} /> },
      {
        label: t('contacts.opted_out'),
        value: contact.optedOut.length > 0 && <OptedOut contact={contact} />,
      },
      { label: t('contacts.notes'), value: contact.notes },
    ]}
  />
);
