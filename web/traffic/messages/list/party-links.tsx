import { IconBrandWhatsapp, IconExternalLink, IconMail, IconMessage } from '@tabler/icons-react';
import { t } from '../../../ground/i18n/translate.ts';
import type { ListedMessage } from '../search/list-query.ts';
import classes from './message-cells.module.css';

const Open = ({ href, label, icon: Icon }: { href: string; label: string; icon: typeof IconMail }) => (
  <a className={classes.badge} href={href} target="_blank" rel="noopener noreferrer">
    <Icon size={12} aria-hidden="true" />
    {label}
  </a>
);

/** Opens the other party in the program that the channel is for, and the chat on the web. */
export const PartyLinks = ({ message }: { message: ListedMessage }) => {
  const incoming = message.type === 'incoming';
  const number = incoming ? message.fromPhoneNumber : message.phoneNumber;
  const code = incoming ? message.fromPhoneCountryCode : message.phoneCountryCode;
  if (message.channel === 'email')
    return number.includes('@') ? (
      <Open href={`mailto:${encodeURIComponent(number)}`} label={t('messages.open_app')} icon={IconMail} />
    ) : null;
  if (code === '') return null;
  const digits = `${code}${number}`.replace(/\D/g, '');
  return message.channel === 'whatsapp' ? (
    <>
      <Open
        href={`whatsapp://send?phone=${digits}`}
        label={t('messages.open_app')}
        icon={IconBrandWhatsapp}
      />
      <Open
        href={`https://web.whatsapp.com/send?phone=${digits}`}
        label={t('messages.open_chat')}
        icon={IconExternalLink}
      />
    </>
  ) : (
    <>
      <Open href={`sms:+${digits}`} label={t('messages.open_app')} icon={IconMessage} />
      <Open href={`https://wa.me/${digits}`} label={t('messages.open_chat')} icon={IconBrandWhatsapp} />
    </>
  );
};
