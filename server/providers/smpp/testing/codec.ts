/** The protocol's codec, for the message centre that tests emulate: both ends then speak the same SMPP. */
export { COMMAND, TLV } from '../commands.ts';
export { contentOf, decodeOctets } from '../decode-content.ts';
export { encodeText, withHeader } from '../encode-text.ts';
export { type ReceivedMessage, readMessage } from '../message-reader.ts';
export { type PduHandler, PduReader } from '../pdu-reader.ts';
export { type Address, type MessageFields, PduWriter } from '../pdu-writer.ts';
export { openRecentMap } from '../recent-map.ts';
