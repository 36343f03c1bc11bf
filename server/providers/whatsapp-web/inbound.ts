import type { InboundMedia, MessageContent } from '../../../contract/traffic/message-content.ts';
import type { DeviceSurroundings } from '../../fleet/devices/driver.ts';
import type { Inbound, Receipt } from '../../traffic/lanes/index.ts';
import type { DeviceMessage, FromSession } from './protocol.ts';

/** The library's words for what a file is. */
const KINDS: Record<string, InboundMedia['kind']> = {
  image: 'image',
  video: 'video',
  audio: 'audio',
  ptt: 'audio',
  sticker: 'sticker',
};

const contentOf = async (
  message: DeviceMessage,
  keepFile: DeviceSurroundings['keepFile'],
): Promise<MessageContent | undefined> => {
  const { hasFile, media, quotedMessage, senderName, type } = message;
  const kind = KINDS[type] ?? 'file';
  const content: MessageContent = {
    ...(quotedMessage && { quotedMessage }),
    ...(senderName && { senderName }),
    ...(hasFile && { kind }),
    ...(media && {
      media: {
        id: await keepFile({ bytes: Buffer.from(media.bytes), mimeType: media.mimeType }),
        kind,
        mimeType: media.mimeType,
        fileName: media.fileName,
      },
    }),
  };
  return Object.keys(content).length > 0 ? content : undefined;
};

/** An incoming message in the words of the port; its file is kept first. */
export const inboundOf = async (
  message: DeviceMessage,
  to: string,
  keepFile: DeviceSurroundings['keepFile'],
): Promise<Inbound> => ({
  providerMessageId: message.id,
  from: message.from,
  to,
  text: message.text,
  at: new Date(message.atSeconds * 1_000),
  content: await contentOf(message, keepFile),
});

/** The library counts: -1 failed, 1 with WhatsApp, 2 with the recipient's phone, 3 read, 4 played. */
const STATES: Record<number, Receipt['state']> = { [-1]: 'failed', 2: 'delivered', 3: 'read', 4: 'read' };

export const receiptOf = ({ id, ack }: FromSession & { kind: 'ack' }, at: Date): Receipt | undefined => {
  const state = STATES[ack];
  return state && { providerMessageId: id, state, at, code: '' };
};
