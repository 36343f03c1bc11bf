import type { Reply } from '../../../contract/calls.ts';
import {
  isReleased,
  PHONE_SLOTS,
  type PhoneChannel,
  phoneHealth,
} from '../../../contract/fleet/phone-rules.ts';
import type { Phone, PhoneUsage } from '../../../contract/fleet/phones.ts';
import { numberFromMicros } from '../../../contract/ground/money.ts';
import { isActive, isSuspended, type PhoneRow } from './phone.ts';

const iso = (moment: Date | null): string | null => moment?.toISOString() ?? null;

const healthOf = (phone: PhoneRow, channel: PhoneChannel) =>
  phoneHealth({
    active: isActive(phone, channel),
    suspended: isSuspended(phone, channel),
    released: isReleased(phone.remark),
    secondsSinceHeartbeat: phone.secondsSinceHeartbeat,
  });

export const usageOf = ({ netToday, sentToday, sentTotal }: PhoneRow): PhoneUsage => ({
  countNetShared: netToday,
  sentToday,
  sentTotal,
});

export const viewPhone = (phone: PhoneRow): Phone => {
  const {
    id,
    imsi,
    agentId: ______,
    secondsSinceHeartbeat: _,
    tenMinutes,
    oneHour,
    eightHours,
    oneDay,
    estimatedMicros,
    sentTotal: __,
    sentToday: ___,
    netToday: ____,
    ...same
  } = phone;
  return {
    ...same,
    _id: id,
    IMSI: imsi,
    createdAt: phone.createdAt.toISOString(),
    startedAt: iso(phone.startedAt),
    lastHeartbeatAt: iso(phone.lastHeartbeatAt),
    latestTopUpAt: iso(phone.latestTopUpAt),
    health: {
      whatsapp: healthOf(phone, 'whatsapp'),
      sms: healthOf(phone, 'sms'),
      smsWeb: healthOf(phone, 'smsWeb'),
    },
    estimatedBalance: estimatedMicros === null ? null : numberFromMicros(estimatedMicros),
    usage: usageOf(phone),
    sendSetting: {
      throttle: {
        countTenMinute: tenMinutes,
        countOneHour: oneHour,
        countEightHour: eightHours,
        countOneDay: oneDay,
      },
    },
  };
};

type HostMap = Reply<'GET /phoneNumberInventory'>['hostMapv2'];

/** Which phones are at which host. */
export const hostsOf = (phones: PhoneRow[]): HostMap => {
  // A Map, because a host may have any name, even that of an object's method.
  const hosts = new Map<string, HostMap[string]>();
  for (const { name, simHost, whatsappHost, whatsappHostPort, whatsappWebHost, port } of phones)
    for (const [field, host, at] of [
      ['simHost', simHost, port],
      ['whatsappHost', whatsappHost, whatsappHostPort],
      ['whatsappWebHost', whatsappWebHost, ''],
    ] as const)
      if (host) hosts.set(host, [...(hosts.get(host) ?? []), { name, port: at, field }]);
  return Object.fromEntries(hosts);
};

type Slots = Reply<'GET /phoneNumberInventory/slot'>;

const isIdle = (phone: PhoneRow): boolean =>
  (['whatsapp', 'sms', 'smsWeb'] as const).every((channel) => healthOf(phone, channel) !== 'UP');

/** The phones with their slots, by host. */
export const slotsOf = (phones: PhoneRow[], sentOf: ReadonlyMap<string, number>): Slots => {
  const slots: Slots = { ret: Object.create(null), phoneSlotDisabled: Object.create(null), devices: [] };
  for (const phone of phones) {
    const { slot, name, phoneNumber, simHost, whatsappHost, port, whatsappHostPort } = phone;
    const ofWhatsapp = slot?.startsWith('WA') ?? false;
    const host = (ofWhatsapp ? whatsappHost || simHost : simHost || whatsappHost) || name;
    slots.devices.push({
      phoneName: name,
      host,
      port: (ofWhatsapp ? whatsappHostPort : port) || '',
      phoneNumber,
      lastHeartbeatAt: iso(phone.lastHeartbeatAt),
    });
    if (!slot || !PHONE_SLOTS.includes(slot)) continue;
    const sent = sentOf.get(phone.id) ?? 0;
    slots.ret[host] = { ...slots.ret[host], [slot]: { phoneName: name, phoneNumber, sent } };
    if (isIdle(phone)) slots.phoneSlotDisabled[host] = [...(slots.phoneSlotDisabled[host] ?? []), slot];
  }
  return slots;
};
