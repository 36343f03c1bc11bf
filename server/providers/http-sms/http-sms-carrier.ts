import type { OpenLink } from '../../ground/http-client/index.ts';
import type { Carrier } from '../../traffic/lanes/index.ts';
import { callbackUrl } from './callback-url.ts';
import { composeCall } from './compose-call.ts';
import { readAnswer } from './read-answer.ts';
import type { ProviderTemplate } from './template.ts';

interface HttpSmsOptions {
  template: ProviderTemplate;
  /** The addresses of callbacks begin with it; without it none are requested. */
  publicUrl?: string | undefined;
  openLink: OpenLink;
}

/** What waits for its slot is in flight too, and must not wait for longer than this. */
const LONGEST_TURN_SECONDS = 5;

/** A provider that a template describes. */
export const httpSmsCarrier = ({ template, publicUrl, openLink }: HttpSmsOptions): Carrier => {
  const { name, send, window, perSecond, timeoutMs } = template;
  const { origin } = new URL(send.url.replace(/^(https?:\/\/[^/?]+).*$/s, '$1'));
  const link = openLink({ url: origin, perSecond, answerMs: timeoutMs });
  return {
    provider: name,
    channel: 'sms',
    simulated: false,
    window:
      perSecond === undefined
        ? window
        : Math.max(1, Math.min(window, Math.ceil(perSecond * LONGEST_TURN_SECONDS))),
    open: ({ state }) => link.open(state),
    isUp: link.isUp,
    send: async (message) => {
      const call = composeCall(template, message, publicUrl && callbackUrl(template, publicUrl, message.id));
      return 'outcome' in call ? call : readAnswer(template, message.id, await link.call(call));
    },
    close: link.close,
  };
};
