import { CHANNELS, type Channel } from '../../contract/ground/channels.ts';
import { SIMULATED_RECIPIENTS } from '../../contract/traffic/simulator.ts';
import type { Config } from '../config.ts';
import { openHttpClient, openLink } from '../ground/http-client/index.ts';
import type { Log } from '../ground/log/index.ts';
import { readSetting } from '../ground/settings/index.ts';
import {
  httpSmsLanes,
  httpSmsTemplates,
  httpSmsWebhooks,
  type ProviderTemplate,
} from '../providers/http-sms/index.ts';
import { simulatorLanes } from '../providers/simulator/index.ts';
import { smppLanes } from '../providers/smpp/index.ts';
import { relayLanes } from '../providers/smtp-relay/index.ts';
import { twilioLanes, twilioLaneWebhooks } from '../providers/twilio/index.ts';
import { cloudLanes, cloudLaneWebhooks } from '../providers/whatsapp-cloud/index.ts';
import type { ProviderWebhook } from '../traffic/delivery/index.ts';
import { inOrder, type LaneDefinition, type ProviderLane } from '../traffic/lanes/index.ts';
import { callableUrlOf } from './address.ts';
import { relaySurroundings } from './lane-providers.ts';

const REAL = 100;
/** Simulators come last: they serve the test secret, and everyone if nothing real is set. */
const SIMULATED = 1_000;

/** SMS lanes take over from each other. */
const SMS = 'sms';

const placed = (preference: number) => (lane: ProviderLane) => ({ ...lane, preference });

export interface SmsLanes {
  /** The preferred first. */
  lanes: LaneDefinition[];
  templates: ProviderTemplate[];
}

/** The lanes for SMS. Every process reads them at its start, so that each tells the faults of their settings. */
export const readSmsLanes = (config: Config): SmsLanes => {
  const templates = httpSmsTemplates(config);
  const surroundings = { callableUrl: callableUrlOf(config), openLink };
  const lanes = [
    ...smppLanes(config),
    ...twilioLanes(config, surroundings),
    ...httpSmsLanes(templates, surroundings),
  ].map((lane) => ({ ...placed(REAL)(lane), route: SMS }));
  return { lanes: readSetting('SMS_ROUTE', () => inOrder(lanes, config.SMS_ROUTE)), templates };
};

interface LaneFacts {
  sms: SmsLanes;
  key: Buffer;
  publicUrl: string;
}

/** Every lane that the settings name. */
export const lanesOf = (config: Config, { sms, ...facts }: LaneFacts): LaneDefinition[] => {
  const email = relayLanes(config, relaySurroundings(config, facts));
  const simulated = simulatorLanes({ channels: CHANNELS, recipients: SIMULATED_RECIPIENTS });
  return [
    ...sms.lanes,
    ...[...cloudLanes(config, { openHttpClient }), ...email].map(placed(REAL)),
    ...simulated.map(placed(SIMULATED)),
  ];
};

/** The channels without a provider: simulators take over for them only while there is no provider at all. */
export const refusedChannels = (lanes: LaneDefinition[]): Channel[] => {
  const real = lanes.filter(({ simulated }) => !simulated);
  return real.length === 0 ? [] : CHANNELS.filter((name) => !real.some(({ channel }) => channel === name));
};

/** Where providers call us. */
export const webhooksOf = (
  config: Config,
  { sms, publicUrl, log }: { sms: SmsLanes; publicUrl: string; log: Log },
): ProviderWebhook[] => [
  ...cloudLaneWebhooks(config, log),
  ...twilioLaneWebhooks(config, publicUrl),
  ...sms.templates.flatMap((template) => httpSmsWebhooks(template, publicUrl)),
];
