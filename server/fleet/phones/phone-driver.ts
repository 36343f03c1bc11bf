import type { PhoneId } from '../../../contract/fleet/phones.ts';
import type { Channel } from '../../../contract/ground/channels.ts';
import type { Carrier } from '../../traffic/lanes/index.ts';

/** Where a phone is. */
export interface DrivenPhone {
  id: PhoneId;
  phoneNumber: string;
  simHost: string;
  whatsappHost: string;
  imsi: string;
  estimatedMicros: bigint | null;
}

/** A sign of life of a phone, with what it tells about itself. */
export interface PhoneReport {
  phoneId: PhoneId;
  /** Of what it tells; now unless given. */
  at?: Date | undefined;
  imsi?: string | undefined;
  startedAt?: Date | undefined;
  balanceMicros?: bigint | undefined;
  /** YYYY-MM-DD: the last day on which the SIM works. */
  validUntil?: string | undefined;
}

/** What stands between the program and the phones. Its lanes are served like all others. */
export interface PhoneDriver {
  /** The provider of its lanes. */
  name: string;
  simulated: boolean;
  /** The carrier of one way out of a phone. */
  carrier: (way: { phone: DrivenPhone; channel: Channel }) => Carrier;
  /** Those of the phones that answer now. */
  look: (phones: DrivenPhone[]) => Promise<PhoneReport[]>;
}
