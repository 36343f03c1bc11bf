import { IconPencil, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { formatDateTime } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import controls from '../ui/controls.module.css';
import classes from '../ui/list.module.css';
import { Tag } from '../ui/tag.tsx';
import type { Contact } from './contact-queries.ts';

interface ContactsTableProps {
  contacts: Contact[];
  /** A link to write a message to the contact. */
  writeTo: (contact: Contact) => ReactNode;
  onEdit: (contact: Contact) => void;
  onRemove: (contact: Contact) => void;
}

const OptedOut = ({ contact: { optedOut } }: { contact: Contact }) =>
  optedOut.length === 0 ? null : (
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

const Row = ({
  contact,
  writeTo,
  onEdit,
  onRemove,
}: { contact: Contact } & Omit<ContactsTableProps, 'contacts'>) => {
  const { phone, name, notes } = contact;
  const who = { contact: name || phone };
  return (
    <tr>
      <td className={classes.text}>
        {name && <div className={classes.strong}>{name}</div>}
        <div className={name ? classes.quiet : classes.strong}>{phone}</div>
        <div className={classes.below}>
          <OptedOut contact={contact} />
          <span>
            <LastMessage contact={contact} />
          </span>
          {notes && <span className={classes.quiet}>{notes}</span>}
        </div>
      </td>
      <td className={`${classes.aside} ${classes.short}`}>
        <LastMessage contact={contact} />
      </td>
      <td className={classes.aside}>
        <OptedOut contact={contact} />
      </td>
      <td className={`${classes.aside} ${classes.text}`}>{notes}</td>
      <td className={classes.actions}>
        {writeTo(contact)}
        <button
          type="button"
          className={controls.icon}
          aria-label={t('contacts.edit', who)}
          title={t('contacts.edit', who)}
          onClick={() => onEdit(contact)}
        >
          <IconPencil size={19} aria-hidden="true" />
        </button>
        <button
          type="button"
          className={controls.icon}
          aria-label={t('contacts.remove', who)}
          title={t('contacts.remove', who)}
          onClick={() => onRemove(contact)}
        >
          <IconTrash size={19} aria-hidden="true" />
        </button>
      </td>
    </tr>
  );
};

export const ContactsTable = ({ contacts, ...actions }: ContactsTableProps) => (
  <table className={classes.table}>
    <thead>
      <tr>
        <th scope="col">{t('contacts.contact')}</th>
        <th scope="col" className={classes.aside}>
          {t('contacts.last_message')}
        </th>
        <th scope="col" className={classes.aside}>
          {t('contacts.opted_out')}
        </th>
        <th scope="col" className={classes.aside}>
          {t('contacts.notes')}
        </th>
        <th scope="col" className={classes.actions}>
          {t('lists.actions')}
        </th>
      </tr>
    </thead>
    <tbody>
      {contacts.map((contact) => (
        <Row key={contact._id} contact={contact} {...actions} />
      ))}
    </tbody>
  </table>
);
