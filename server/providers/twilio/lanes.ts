import type { OpenLink } from '../../ground/http-client/index.ts';
import type { ProviderWebhook } from '../../traffic/delivery/provider-webhook.ts';
import type { ProviderLane } from '../../traffic/lanes/provider-lane.ts';
import type { TwilioSection } from './settings.ts';
import { type TwilioOptions, twilioCarrier } from './twilio-carrier.ts';
import { twilioWebhooks } from './twilio-webhooks.ts';

const LANE = 'twilio';

interface Surroundings {
  /** Where Twilio can call us; undefined if no public address is set. */
  callableUrl: string | undefined;
  openLink: OpenLink;
  /** Where Twilio calls us, below /api/providers. */
  at?: string;
}

const optionsOf = (
  settings: TwilioSection,
  { callableUrl, openLink, at = LANE }: Surroundings,
): TwilioOptions | undefined => {
  const { TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN: authToken } = settings;
  if (!accountSid || !authToken) return undefined;
  return {
    accountSid,
    authToken,
    apiKey:
      settings.TWILIO_API_KEY && settings.TWILIO_API_SECRET
        ? { sid: settings.TWILIO_API_KEY, secret: settings.TWILIO_API_SECRET }
        : undefined,
    from: settings.TWILIO_FROM,
    messagingServiceSid: settings.TWILIO_MESSAGING_SERVICE_SID,
    // Twilio refuses a message whose callback it could not reach.
    statusCallback: callableUrl && `${callableUrl}/api/providers/${at}/status`,
    apiBase: settings.TWILIO_API_BASE,
    window: settings.TWILIO_WINDOW,
    openLink,
  };
};

/** One lane, if Twilio's account is set. */
export const twilioLanes = (settings: TwilioSection, surroundings: Surroundings): ProviderLane[] => {
  const options = optionsOf(settings, surroundings);
  if (!options) return [];
  const carrier = () => twilioCarrier(options);
  // A messaging service chooses among its own.
  const sender = options.messagingServiceSid ? undefined : options.from;
  return [{ name: LANE, channel: 'sms', provider: 'twilio', simulated: false, sender, carrier }];
};

/** Where Twilio calls us, if its account is set. */
export const twilioLaneWebhooks = (
  { TWILIO_AUTH_TOKEN: authToken }: TwilioSection,
  publicUrl: string,
): ProviderWebhook[] => (authToken ? twilioWebhooks({ laneName: LANE, authToken, publicUrl }) : []);
