import type { SendOutcome } from '../../traffic/lanes/index.ts';

/** A message as it goes over the wire. Strings have one octet a character. */
export interface MailTransaction {
  from: string;
  to: string;
  /** Without what SMTP adds to it. */
  octets: number;
  /** With its dots doubled, and the dot that ends it. */
  data: string;
  /** An address in it is not ASCII: RFC 6531. */
  utf8: boolean;
  /** Our id, which is also in the header. */
  messageId: string;
  settle: (outcome: SendOutcome) => void;
}
