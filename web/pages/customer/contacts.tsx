import { IconSend } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Contact } from '../../customer/contacts/contact-queries.ts';
import { ContactsList } from '../../customer/contacts/contacts-list.tsx';
import { t } from '../../ground/i18n/translate.ts';
import controls from '../../ground/ui/controls.module.css';
import { PageTitle } from '../../ground/ui/layout/page-title.tsx';
import { MessagesTabs } from './messages-tabs.tsx';
import { OwnAccount } from './own-account.tsx';

const writeTo = ({ phone, name, channel }: Contact) => (
  <Link
    to="/dashboard/messages/send"
    search={{ phone, ...(channel && { channel }) }}
    className={controls.icon}
    aria-label={t('contacts.write', { contact: name || phone })}
    title={t('contacts.write', { contact: name || phone })}
  >
    <IconSend size={19} aria-hidden="true" />
  </Link>
);

export const Contacts = () => (
  <div data-wide>
    <PageTitle title={t('contacts.title')} />
    <MessagesTabs />
    <OwnAccount>{(accountId) => <ContactsList accountId={accountId} writeTo={writeTo} />}</OwnAccount>
  </div>
);
