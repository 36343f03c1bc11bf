import type { MessageContent, Template } from '../../../contract/traffic/message-content.ts';
import { DomainError } from '../../ground/domain-error.ts';
import type { Phrase } from '../../ground/translations/index.ts';
import type { CheckedContent, Content } from './message-content.ts';

/** Of Meta's Cloud API, "text object, body", and "media object, caption". */
const MAX_LENGTH = 4096;
const CAPTION_MAX_LENGTH = 1024;

/** What only a WhatsApp message can have. */
export const WHATSAPP_ONLY = ['template', 'image', 'file', 'video', 'fileName', 'quotedMessage'] as const;
const BODIES = ['template', 'image', 'file', 'video'] as const;
const HEADERS = ['text', 'image', 'video', 'file'] as const;

const refuse = (field: string, fault: Phrase): never => {
  throw new DomainError('E_INVALID_REQUEST', { reason: { label: 'input.at', values: { field, fault } } });
};
const notWith = (field: string): Phrase => ({ label: 'input.not_with', values: { field } });
const onlyWith = (field: string): Phrase => ({ label: 'input.only_with', values: { field } });

const checkHeader = ({ header }: Template): void => {
  if (!header) return;
  if (HEADERS.filter((name) => header[name] !== undefined).length !== 1)
    refuse('template.header', { label: 'input.one_of', values: { fields: HEADERS.join(', ') } });
  if (header.fileName !== undefined && header.file === undefined)
    refuse('template.header.fileName', onlyWith('file'));
};

/** How a template is shown among texts: its wording is at WhatsApp. */
const describe = ({ name, parameters }: Template): string => {
  const values = Object.values(parameters ?? {});
  return values.length > 0 ? `${name}: ${values.join(', ')}` : name;
};

/** Except for the quoted message, which is looked up later. */
export const checkWhatsapp = (message: string, given: Content): CheckedContent => {
  const [body, second] = BODIES.filter((name) => given[name] !== undefined);
  if (second) refuse(second, notWith(body ?? ''));
  if (given.fileName !== undefined && body !== 'file') refuse('fileName', onlyWith('file'));
  const { template } = given;
  if (template) checkHeader(template);
  if (template && message.trim() !== '') refuse('message', notWith('template'));
  if (template && given.quotedMessage !== undefined) refuse('quotedMessage', notWith('template'));
  if (!body && message.trim() === '') throw new DomainError('E_MESSAGE_EMPTY');
  const maximum = body ? CAPTION_MAX_LENGTH : MAX_LENGTH;
  if (message.length > maximum) throw new DomainError('E_MESSAGE_TOO_LONG', { maximum });
  const content: MessageContent = Object.fromEntries(
    WHATSAPP_ONLY.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
  );
  // As JSON writes it: wherever in the template or an address it stands.
  if (JSON.stringify(content).includes('\\u0000')) throw new DomainError('E_MESSAGE_UNSENDABLE');
  return {
    message: template ? describe(template).toWellFormed() : message,
    subject: null,
    html: null,
    content: Object.keys(content).length > 0 ? content : null,
    segments: 1,
    encoding: 'NONE',
  };
};
