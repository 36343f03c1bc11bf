import type { AccountId } from '../../contract/customer/accounts.ts';
import { SIMULATED_RECIPIENTS } from '../../contract/traffic/simulator.ts';
import type { Config } from '../config.ts';
import { makeUnsubscribeToken } from '../customer/opt-outs/index.ts';
import { openHttpClient, openLink } from '../ground/http-client/index.ts';
import type { Log } from '../ground/log/index.ts';
import { simulatorLanes } from '../providers/simulator/index.ts';
import { smppLanes, smppSection } from '../providers/smpp/index.ts';
import { relayLanes, relaySection } from '../providers/smtp-relay/index.ts';
import { twilioLanes, twilioSection, twilioWebhooks } from '../providers/twilio/index.ts';
import {
  cloudLanes,
  cloudMediaSources,
  cloudSection,
  cloudWebhook,
} from '../providers/whatsapp-cloud/index.ts';
import type { ProviderWebhook } from '../traffic/delivery/index.ts';
import {
  type LaneProvider,
  type ProviderLane,
  type ProviderSettings,
  parseSettings,
  settingsOfLane,
} from '../traffic/lanes/index.ts';
import type { MediaSource } from '../traffic/media/index.ts';
import { callableUrlOf } from './address.ts';

export interface LaneProviderDeps {
  key: Buffer;
  publicUrl: string;
  log: Log;
}

/** A provider whose lanes an admin can make, with what it needs besides its carrier. */
export interface MadeLaneProvider extends LaneProvider {
  /** Where it calls us for a lane. */
  webhooks?: (settings: ProviderSettings, laneName: string) => ProviderWebhook[];
  /** Where the files of its incoming messages are. */
  media?: (settings: ProviderSettings) => MediaSource | undefined;
}

/** What the email channel needs besides its settings. */
export const relaySurroundings = (config: Config, { key, publicUrl }: Omit<LaneProviderDeps, 'log'>) => ({
  ownMails: config,
  key,
  unsubscribeUrl: ({ accountId, recipient }: { accountId: AccountId; recipient: string }) =>
    `${publicUrl}/unsubscribe/${makeUnsubscribeToken(key, { accountId, channel: 'email', recipient })}`,
});

const one = (lanes: ProviderLane[], needed: string): ProviderLane => {
  const [lane, ...more] = lanes;
  if (!lane || more.length > 0) throw new Error(`${needed} must name one`);
  return lane;
};

/** The address of a lane that an admin made, below /api/providers. */
const atLane = (laneName: string): string => `lanes/${laneName}`;

const twilioProvider = (config: Config, { publicUrl }: LaneProviderDeps): MadeLaneProvider => ({
  name: 'twilio',
  channel: 'sms',
  simulated: false,
  settings: settingsOfLane(twilioSection),
  secrets: twilioSection.secrets,
  lane: (settings, laneName) => {
    const surroundings = { callableUrl: callableUrlOf(config), openLink, at: atLane(laneName) };
    const { TWILIO_API_BASE } = config;
    const own = { ...parseSettings(twilioSection, settings), TWILIO_API_BASE };
    return one(twilioLanes(own, surroundings), 'TWILIO_ACCOUNT_SID');
  },
  webhooks: ({ TWILIO_AUTH_TOKEN: authToken = '' }, laneName) =>
    twilioWebhooks({ laneName, authToken, publicUrl, at: atLane(laneName) }),
});

const cloudProvider = ({ WHATSAPP_CLOUD_API_BASE }: Config, { log }: LaneProviderDeps): MadeLaneProvider => ({
  name: 'whatsapp-cloud',
  channel: 'whatsapp',
  simulated: false,
  settings: settingsOfLane(cloudSection),
  secrets: cloudSection.secrets.filter((name) => !name.endsWith('_ID')),
  lane: (settings) =>
    one(
      cloudLanes({ ...parseSettings(cloudSection, settings), WHATSAPP_CLOUD_API_BASE }, { openHttpClient }),
      'WHATSAPP_CLOUD_PHONE_NUMBER_ID',
    ),
  webhooks: (settings, laneName) => [
    cloudWebhook({
      appSecret: settings.WHATSAPP_CLOUD_APP_SECRET ?? '',
      verifyToken: settings.WHATSAPP_CLOUD_VERIFY_TOKEN ?? '',
      lanes: new Map([[settings.WHATSAPP_CLOUD_PHONE_NUMBER_ID ?? '', laneName]]),
      log,
      path: `${atLane(laneName)}/whatsapp`,
    }),
  ],
  media: (settings) => {
    const own = { ...parseSettings(cloudSection, settings), WHATSAPP_CLOUD_API_BASE };
    const [source] = cloudMediaSources(own, { openHttpClient }).values();
    return source;
  },
});

/** Providers whose lanes an admin can make while the program runs. */
export const laneProviders = (config: Config, facts: LaneProviderDeps): MadeLaneProvider[] => [
  {
    name: 'smpp',
    channel: 'sms',
    simulated: false,
    settings: settingsOfLane(smppSection),
    secrets: smppSection.secrets,
    lane: (settings) => one(smppLanes(parseSettings(smppSection, settings)), 'SMPP_URLS'),
  },
  {
    name: 'smtp',
    channel: 'email',
    simulated: false,
    settings: settingsOfLane(relaySection),
    secrets: relaySection.secrets,
    lane: (settings) =>
      one(
        relayLanes(parseSettings(relaySection, settings), {
          ...relaySurroundings(config, facts),
          ownMails: { MAIL_FROM: config.MAIL_FROM },
        }),
        'EMAIL_SMTP_URL',
      ),
  },
  twilioProvider(config, facts),
  cloudProvider(config, facts),
  {
    name: 'simulator',
    channel: 'sms',
    simulated: true,
    settings: [],
    secrets: [],
    lane: (settings) => {
      parseSettings({ shape: {} }, settings);
      return one(simulatorLanes({ channels: ['sms'], recipients: SIMULATED_RECIPIENTS }), 'simulator');
    },
  },
];
