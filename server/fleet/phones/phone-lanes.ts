import { isReleased, PHONE_CHANNELS, type PhoneChannel } from '../../../contract/fleet/phone-rules.ts';
import type { Channel } from '../../../contract/ground/channels.ts';
import { senderKey } from '../../ground/recipients/index.ts';
import type { PhoneLane } from '../../traffic/lanes/index.ts';
import { isActive, isSuspended, type PhoneRow } from './phone.ts';
import type { PhoneDriver } from './phone-driver.ts';
import type { PhonesDeps } from './phones-deps.ts';

/** As real lanes of the settings have it; simulated phones come after the simulators, so that a demo's wait for nobody. */
const PREFERENCE = { real: 100, simulated: 1_100 };

const CHANNEL_OF: Record<PhoneChannel, Channel> = { whatsapp: 'whatsapp', sms: 'sms', smsWeb: 'sms' };

/** A phone that changes from one to the other leaves a lane. */
export const MODEM_METHODS = ['sim-modem', 'gammu'];

const methodsOf = (channel: PhoneChannel): string[] =>
  channel === 'sms' ? MODEM_METHODS : [channel === 'smsWeb' ? 'sim-web' : 'whatsapp'];

const isUsed = (phone: PhoneRow, channel: PhoneChannel): boolean =>
  isActive(phone, channel) && !isSuspended(phone, channel);

/**
 * What becomes of a way out. SMS by the web app stands by while the modem sends: both are the same SIM, whose throttles
 * count what it sends either way.
 */
const modeOf = (phone: PhoneRow, channel: PhoneChannel): PhoneLane['mode'] => {
  if (!isActive(phone, channel) || isReleased(phone.remark)) return 'removed';
  const standsBy = channel === 'smsWeb' && isUsed(phone, 'sms');
  return isSuspended(phone, channel) || standsBy ? 'paused' : 'on';
};

type Drivers = Pick<PhonesDeps, 'driver' | 'agents'>;

/** An agent drives the phone's modem, and nothing else of it. */
const driverOf = (
  { driver, agents }: Drivers,
  { agentId }: Pick<PhoneRow, 'agentId'>,
  method: string,
): PhoneDriver => (agentId !== null && MODEM_METHODS.includes(method) ? agents : driver);

/** The ways out that a phone has by its flags, and those that it no longer has. */
export const phoneLanes = (phone: PhoneRow, drivers: Drivers): PhoneLane[] =>
  PHONE_CHANNELS.flatMap((way) =>
    methodsOf(way).map((method): PhoneLane => {
      const { name: provider, simulated } = driverOf(drivers, phone, method);
      const isOther = way === 'sms' && method !== (phone.setting.method ?? 'sim-modem');
      const mode = isOther ? 'removed' : modeOf(phone, way);
      const { tenMinutes, oneHour, eightHours, oneDay } = phone;
      return {
        phoneId: phone.id,
        phoneName: phone.name,
        method,
        channel: CHANNEL_OF[way],
        provider,
        simulated,
        preference: simulated ? PREFERENCE.simulated : PREFERENCE.real,
        // Lanes of one route take over from each other; a phone that may not be transferred keeps its messages, for as
        // long as it may send them.
        route: phone.setting.isTransferAvailable === false && mode !== 'removed' ? '' : CHANNEL_OF[way],
        mode,
        tenMinutes,
        oneHour,
        eightHours,
        oneDay,
        idealVolume: phone.setting.idealVolume ?? 0,
        transferRate: phone.transferJobRate,
        startedAt: phone.startedAt,
        sharedFrom: phone.setting.shared?.from ?? null,
        sharedTo: phone.setting.shared?.to ?? null,
        mostRecipients: phone.setting.distinctRecipients ?? null,
        sender: senderKey(phone.phoneNumber),
        aliases: phone.carrierAliases,
        dedicatedTo: phone.setting.dedicatedTo ?? [],
      };
    }),
  );
