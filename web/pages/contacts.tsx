import { IconSend } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { ContactsList } from '../contacts/contacts-list.tsx';
import { t } from '../i18n/translate.ts';
import controls from '../ui/controls.module.css';
import { PageTitle } from '../ui/page-title.tsx';
import { MessagesTabs } from './messages-tabs.tsx';
import { OwnAccount } from './own-account.tsx';

export const Contacts = () => (
  <>
    <PageTitle title={t('contacts.title')} />
    <MessagesTabs />
    <OwnAccount>
      {(accountId) => (
        <ContactsList
          accountId={accountId}
          writeTo={({ phone, name, channel }) => (
            <Link
              to="/dashboard/messages/send"
              search={{ phone, ...(channel && { channel }) }}
              className={controls.icon}
              aria-label={t('contacts.write', { contact: name || phone })}
              title={t('contacts.write', { contact: name || phone })}
            >
              <IconSend size={19} aria-hidden="true" />
            </Link>
          )}
        />
      )}
    </OwnAccount>
  </>
);
