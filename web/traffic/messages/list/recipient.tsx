import { namedText } from './named-text.ts';

/** By the name that the account gave it, otherwise by the number. */
export const Recipient = ({ phone, contactName }: { phone: string; contactName: string }) => (
  <span title={namedText(contactName, phone)}>
    {contactName || phone}
    {contactName && <span className="visually-hidden"> {phone}</span>}
  </span>
);
