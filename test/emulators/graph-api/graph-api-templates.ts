import { GraphRefusal } from './graph-api-errors.ts';
import type { Component, SentMessage } from './graph-api-schema.ts';

/** A template as it was approved. */
export interface ApprovedTemplate {
  name: string;
  language: string;
  header?: 'text' | 'image' | 'video' | 'document';
  /** How many the body has, or their names. */
  parameters: number | string[];
  buttons?: ('url' | 'quick_reply' | 'copy_code')[];
  status?: 'APPROVED' | 'PAUSED' | 'DISABLED';
}

export const TEMPLATES: ApprovedTemplate[] = [
  { name: 'hello_world', language: 'en_US', parameters: 0 },
  { name: 'order_update', language: 'en_US', parameters: 2 },
  { name: 'order_update', language: 'zh_HK', parameters: 2 },
  { name: 'named', language: 'en_US', parameters: ['first_name', 'total'] },
  { name: 'with_image', language: 'en_US', header: 'image', parameters: 1 },
  { name: 'with_video', language: 'en_US', header: 'video', parameters: 0 },
  { name: 'with_file', language: 'en_US', header: 'document', parameters: 1 },
  { name: 'with_title', language: 'en_US', header: 'text', parameters: 1 },
  { name: 'with_buttons', language: 'en_US', parameters: 1, buttons: ['url', 'quick_reply'] },
  { name: 'paused', language: 'en_US', parameters: 0, status: 'PAUSED' },
  { name: 'disabled', language: 'en_US', parameters: 0, status: 'DISABLED' },
];

const countMismatch = (where: string, given: number, expected: number): never => {
  throw new GraphRefusal(
    132000,
    `${where}: number of localizable_params (${given}) does not match the expected number of params (${expected})`,
  );
};

const checkBody = ({ parameters }: ApprovedTemplate, components: Component[]): void => {
  const given = components.flatMap((one) => (one.type === 'body' ? one.parameters : []));
  const expected = typeof parameters === 'number' ? parameters : parameters.length;
  if (given.length !== expected) countMismatch('body', given.length, expected);
  for (const { text, parameter_name } of given) {
    if (/[\n\t]| {5}/.test(text))
      throw new GraphRefusal(
        100,
        'Param text cannot have new-line/tab characters or more than 4 consecutive spaces',
      );
    const isNamed = typeof parameters !== 'number';
    if (isNamed !== (parameter_name !== undefined) || (isNamed && !parameters.includes(parameter_name ?? '')))
      throw new GraphRefusal(100, 'Parameter name is missing, unknown or not expected');
  }
};

const checkHeader = ({ header }: ApprovedTemplate, components: Component[]): void => {
  const given = components.flatMap((one) => (one.type === 'header' ? one.parameters : []));
  if (given.length !== (header ? 1 : 0)) countMismatch('header', given.length, header ? 1 : 0);
  if (given[0] && given[0].type !== header)
    throw new GraphRefusal(132012, `header: Format mismatch, expected ${header}, received ${given[0].type}`);
};

const checkButtons = ({ buttons = [] }: ApprovedTemplate, components: Component[]): void => {
  for (const one of components) {
    if (one.type !== 'button') continue;
    if (buttons[Number(one.index)] !== one.sub_type)
      throw new GraphRefusal(132012, `button at index ${one.index} is not of type ${one.sub_type}`);
  }
};

export const checkTemplate = (
  known: ApprovedTemplate[],
  sent: NonNullable<SentMessage['template']>,
): void => {
  const found = known.find(({ name, language }) => name === sent.name && language === sent.language.code);
  if (!found)
    throw new GraphRefusal(132001, `Template name (${sent.name}) does not exist in ${sent.language.code}`);
  if (found.status === 'PAUSED') throw new GraphRefusal(132015, 'Template is paused due to low quality');
  if (found.status === 'DISABLED') throw new GraphRefusal(132016, 'Template is disabled due to low quality');
  const components = sent.components ?? [];
  checkHeader(found, components);
  checkBody(found, components);
  checkButtons(found, components);
};
