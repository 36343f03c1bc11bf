export { laneNameOf } from './callback-url.ts';
export { httpSmsCarrier } from './http-sms-carrier.ts';
export { httpSmsWebhooks } from './http-sms-webhooks.ts';
export { httpSmsLanes, httpSmsTemplates } from './lanes.ts';
export { readTemplates } from './read-templates.ts';
export type { ProviderTemplate } from './template.ts';
