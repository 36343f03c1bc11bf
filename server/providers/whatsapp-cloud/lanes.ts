import type { OpenHttpClient } from '../../ground/http-client/index.ts';
import type { ProviderWebhook } from '../../traffic/delivery/provider-webhook.ts';
import type { ProviderLane } from '../../traffic/lanes/provider-lane.ts';
import type { MediaSource } from '../../traffic/media/media-source.ts';
import { cloudCarrier } from './cloud-carrier.ts';
import { cloudMedia } from './cloud-media.ts';
import type { CloudSettings } from './cloud-options.ts';
import { type CloudWebhookOptions, cloudWebhook } from './cloud-webhook.ts';
import type { CloudSection } from './settings.ts';

/** WhatsApp allows free text to a customer for this long after they last wrote. */
const SESSION_HOURS = 24;

/** Our numbers at Meta's Cloud API, by the names of their lanes. */
const numbersOf = (settings: CloudSection): Map<string, Omit<CloudSettings, 'openHttpClient'>> => {
  const { WHATSAPP_CLOUD_PHONE_NUMBER_ID: ids, WHATSAPP_CLOUD_TOKEN: token } = settings;
  const shared = {
    token: token ?? '',
    perSecond: settings.WHATSAPP_CLOUD_PER_SECOND,
    ...(settings.WHATSAPP_CLOUD_API_BASE && { apiBase: settings.WHATSAPP_CLOUD_API_BASE }),
  };
  return new Map((ids ?? []).map((id) => [`whatsapp-cloud-${id}`, { ...shared, phoneNumberId: id }]));
};

/** One lane a number. */
export const cloudLanes = (
  settings: CloudSection,
  client: { openHttpClient: OpenHttpClient },
): ProviderLane[] =>
  [...numbersOf(settings)].map(([name, number]) => ({
    name,
    channel: 'whatsapp',
    provider: 'whatsapp-cloud',
    simulated: false,
    sessionHours: SESSION_HOURS,
    waba: settings.WHATSAPP_CLOUD_WABA_ID,
    carrier: () => cloudCarrier({ ...number, ...client }),
  }));

/** Where the media of incoming messages are fetched, by lane. */
export const cloudMediaSources = (
  settings: CloudSection,
  client: { openHttpClient: OpenHttpClient },
): Map<string, MediaSource> =>
  new Map([...numbersOf(settings)].map(([name, number]) => [name, cloudMedia({ ...number, ...client })]));

/** Where Meta calls us, for all numbers. */
export const cloudLaneWebhooks = (
  settings: CloudSection,
  log: CloudWebhookOptions['log'],
): ProviderWebhook[] => {
  const { WHATSAPP_CLOUD_APP_SECRET: appSecret, WHATSAPP_CLOUD_VERIFY_TOKEN: verifyToken } = settings;
  if (!appSecret || !verifyToken) return [];
  const lanes = new Map([...numbersOf(settings)].map(([name, { phoneNumberId }]) => [phoneNumberId, name]));
  return [cloudWebhook({ appSecret, verifyToken, lanes, log })];
};
