import type { PhoneChannel, PhoneSlot } from '../../../contract/fleet/phone-rules.ts';
import type { PhoneId, PhoneSetting } from '../../../contract/fleet/phones.ts';

/** A phone as its row has it. */
export interface PhoneRow {
  id: PhoneId;
  name: string;
  phoneNumber: string;
  /** The agent beside it, once one has reported its SIM; its modem is real from then on. */
  agentId: string | null;
  imsi: string;
  remark: string;
  createdAt: Date;
  startedAt: Date | null;
  lastHeartbeatAt: Date | null;
  /** By the database's clock, like the heartbeats. */
  secondsSinceHeartbeat: number | null;
  validityDays: number | null;
  latestTopUpAt: Date | null;
  simHost: string;
  whatsappHost: string;
  whatsappHostPort: string;
  whatsappWebHost: string;
  port: string;
  slot: PhoneSlot | null;
  setting: PhoneSetting;
  transferJobRate: number;
  carrierAliases: string[];
  whatsappActive: boolean;
  whatsappSuspended: boolean;
  smsActive: boolean;
  smsSuspended: boolean;
  smsWebActive: boolean;
  smsWebSuspended: boolean;
  tenMinutes: number | null;
  oneHour: number | null;
  eightHours: number | null;
  oneDay: number | null;
  /** What was last known, less what messages have cost since; null if nothing is known. */
  estimatedMicros: bigint | null;
  sentTotal: number;
  sentToday: number;
  netToday: number;
}

export const isActive = (phone: PhoneRow, channel: PhoneChannel): boolean => phone[`${channel}Active`];
export const isSuspended = (phone: PhoneRow, channel: PhoneChannel): boolean => phone[`${channel}Suspended`];
