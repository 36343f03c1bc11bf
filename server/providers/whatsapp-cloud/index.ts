export { cloudCarrier } from './cloud-carrier.ts';
export { cloudMedia } from './cloud-media.ts';
export type { CloudSettings } from './cloud-options.ts';
export { cloudWebhook } from './cloud-webhook.ts';
export { cloudLanes, cloudLaneWebhooks, cloudMediaSources } from './lanes.ts';
export { cloudSection } from './settings.ts';
