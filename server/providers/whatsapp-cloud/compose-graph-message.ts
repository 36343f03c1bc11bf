import type { Template } from '../../../contract/traffic/message-content.ts';
import type { Outgoing } from '../../traffic/lanes/index.ts';

interface Header {
  text?: string | undefined;
  image?: string | undefined;
  video?: string | undefined;
  file?: string | undefined;
  fileName?: string | undefined;
}

const headerParameter = ({ text, image, video, file, fileName }: Header): object => {
  if (image !== undefined) return { type: 'image', image: { link: image } };
  if (video !== undefined) return { type: 'video', video: { link: video } };
  if (file !== undefined)
    return {
      type: 'document',
      document: { link: file, ...(fileName !== undefined && { filename: fileName }) },
    };
  return { type: 'text', text };
};

const bodyParameters = (parameters: NonNullable<Template['parameters']>): object[] =>
  Array.isArray(parameters)
    ? parameters.map((text) => ({ type: 'text', text }))
    : Object.entries(parameters).map(([name, text]) => ({ type: 'text', parameter_name: name, text }));

const BUTTON_PARAMETERS = {
  url: (value: string) => ({ type: 'text', text: value }),
  quick_reply: (value: string) => ({ type: 'payload', payload: value }),
  copy_code: (value: string) => ({ type: 'coupon_code', coupon_code: value }),
};

const composeTemplate = ({ name, language, parameters, header, buttons }: Template): object => {
  const body = bodyParameters(parameters ?? []);
  const components = [
    ...(header ? [{ type: 'header', parameters: [headerParameter(header)] }] : []),
    ...(body.length > 0 ? [{ type: 'body', parameters: body }] : []),
    ...(buttons ?? []).map(({ index, type, value }) => ({
      type: 'button',
      sub_type: type,
      index: String(index),
      parameters: [BUTTON_PARAMETERS[type](value)],
    })),
  ];
  return { name, language: { code: language }, ...(components.length > 0 && { components }) };
};

const composeBody = ({ text, content }: Outgoing): object => {
  const caption = text === '' ? {} : { caption: text };
  const { template, image, video, file, fileName } = content ?? {};
  if (template) return { type: 'template', template: composeTemplate(template) };
  if (image !== undefined) return { type: 'image', image: { link: image, ...caption } };
  if (video !== undefined) return { type: 'video', video: { link: video, ...caption } };
  if (file !== undefined) {
    const filename = fileName === undefined ? {} : { filename: fileName };
    return { type: 'document', document: { link: file, ...caption, ...filename } };
  }
  return { type: 'text', text: { body: text, preview_url: false } };
};

/** The body of POST /{phone-number-id}/messages. Our id goes along and comes back with each report. */
export const composeGraphMessage = (message: Outgoing): object => ({
  messaging_product: 'whatsapp',
  recipient_type: 'individual',
  to: message.recipient.replace(/^\+/, ''),
  ...(message.content?.quotedMessage !== undefined && {
    context: { message_id: message.content.quotedMessage },
  }),
  ...composeBody(message),
  biz_opaque_callback_data: message.id,
});
