import type { InboundMedia, MessageContent } from '../../../contract/traffic/message-content.ts';
import type { Inbound } from '../../traffic/lanes/index.ts';
import { numberOf } from './phone-number.ts';
import { type JsonObject, listOf, objectOf, textOf, timeOf } from './read-json.ts';

interface Read {
  text: string;
  content?: MessageContent;
}

const MEDIA_KINDS = new Map<string, InboundMedia['kind']>([
  ['image', 'image'],
  ['video', 'video'],
  ['audio', 'audio'],
  ['document', 'file'],
  ['sticker', 'sticker'],
]);

const readMedia = (kind: InboundMedia['kind'], part: JsonObject): Read => {
  const media = {
    id: textOf(part.id),
    kind,
    mimeType: textOf(part.mime_type),
    fileName: textOf(part.filename).slice(0, 240),
  };
  return { text: textOf(part.caption), content: { kind, ...(media.id !== '' && { media }) } };
};

const readLocation = (part: JsonObject): Read => {
  const location = {
    latitude: Number(part.latitude),
    longitude: Number(part.longitude),
    name: textOf(part.name),
    address: textOf(part.address),
  };
  const { latitude, longitude, name, address } = location;
  const text = [name, address, `${latitude}, ${longitude}`].filter(Boolean).join('\n');
  return { text, content: { kind: 'location', location } };
};

const readContacts = (parts: JsonObject[]): Read => {
  const contacts = parts.map(({ name, phones }) => ({
    name: textOf(objectOf(name).formatted_name),
    phones: listOf(phones).map(({ phone, wa_id }) => textOf(phone) || textOf(wa_id)),
  }));
  const text = contacts.map(({ name, phones }) => [name, ...phones].filter(Boolean).join(' ')).join('\n');
  return { text, content: { kind: 'contacts', contacts } };
};

/** A button, a list entry or a filled form: what was chosen, and what it carries. */
const readInteractive = (part: JsonObject): Read => {
  const chosen = objectOf(part[textOf(part.type)]);
  return {
    text: textOf(chosen.title) || textOf(chosen.body),
    content: { kind: 'interactive', payload: textOf(chosen.id) || textOf(chosen.response_json) },
  };
};

const readReaction = ({ message_id, emoji }: JsonObject): Read => {
  const reaction = { to: textOf(message_id), emoji: textOf(emoji) };
  return { text: reaction.emoji, content: { kind: 'reaction', reaction } };
};

const readBody = (type: string, message: JsonObject): Read => {
  const part = objectOf(message[type]);
  if (type === 'text') return { text: textOf(part.body) };
  const mediaKind = MEDIA_KINDS.get(type);
  if (mediaKind) return readMedia(mediaKind, part);
  if (type === 'location') return readLocation(part);
  if (type === 'contacts') return readContacts(listOf(message.contacts));
  if (type === 'interactive') return readInteractive(part);
  if (type === 'reaction') return readReaction(part);
  if (type === 'button')
    return { text: textOf(part.text), content: { kind: 'button', payload: textOf(part.payload) } };
  if (type === 'order' || type === 'system')
    return { text: textOf(part.text) || textOf(part.body), content: { kind: type } };
  return { text: '', content: { kind: 'unsupported' } };
};

/** Undefined for what is not a person's message. Every other kind is stored: its sender wrote, and that counts. */
export const readCloudInbound = (
  message: JsonObject,
  { to, names }: { to: string; names: Map<string, string> },
): Inbound | undefined => {
  const [id, from] = [textOf(message.id), textOf(message.from)];
  if (id === '' || from === '') return undefined;
  const { text, content } = readBody(textOf(message.type), message);
  const quotedMessage = textOf(objectOf(message.context).id);
  const senderName = names.get(from) ?? '';
  const whole: MessageContent = {
    ...content,
    ...(quotedMessage !== '' && { quotedMessage }),
    ...(senderName !== '' && { senderName }),
  };
  return {
    providerMessageId: id,
    from: numberOf(from),
    to,
    text,
    at: timeOf(message.timestamp),
    ...(Object.keys(whole).length > 0 && { content: whole }),
  };
};
