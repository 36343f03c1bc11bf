/** The protocol's codec, for the message centre that tests emulate: both ends then speak the same SMPP. */
export { COMMAND, TLV } from '../codec/commands.ts';
export { contentOf, decodeOctets } from '../codec/decode-content.ts';
export { encodeText, withHeader } from '../codec/encode-text.ts';
export { readSmppMessage, type SmppMessage } from '../codec/message-reader.ts';
export { type PduHandler, PduReader } from '../codec/pdu-reader.ts';
export { type MessageFields, PduWriter, type SmppAddress } from '../codec/pdu-writer.ts';
export { openRecentMap } from '../recent-map.ts';
