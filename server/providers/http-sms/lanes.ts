import type { OpenLink } from '../../ground/http-client/index.ts';
import { readSetting } from '../../ground/settings/index.ts';
import type { ProviderLane } from '../../traffic/lanes/provider-lane.ts';
import { laneNameOf } from './callback-url.ts';
import { httpSmsCarrier } from './http-sms-carrier.ts';
import { readTemplates, type TemplateSources } from './read-templates.ts';
import type { HttpSmsSection } from './settings.ts';
import type { ProviderTemplate } from './template.ts';

/** The templates that the settings name. */
export const httpSmsTemplates = ({
  HTTP_SMS_PROVIDERS: path,
  variable,
}: HttpSmsSection & Pick<TemplateSources, 'variable'>): ProviderTemplate[] =>
  path ? readSetting('HTTP_SMS_PROVIDERS', () => readTemplates({ path, variable })) : [];

/** One lane a template. */
export const httpSmsLanes = (
  templates: ProviderTemplate[],
  { callableUrl, openLink }: { callableUrl: string | undefined; openLink: OpenLink },
): ProviderLane[] =>
  templates.map((template) => ({
    name: laneNameOf(template),
    channel: 'sms',
    provider: template.name,
    simulated: false,
    sender: template.from,
    carrier: () => httpSmsCarrier({ template, publicUrl: callableUrl, openLink }),
  }));
