/** SMPP 3.4, section 5.1.2.1. A response has the request's id with the highest bit set. */
export const COMMAND = {
  genericNack: 0x80000000,
  querySm: 0x00000003,
  querySmResp: 0x80000003,
  submitSm: 0x00000004,
  submitSmResp: 0x80000004,
  deliverSm: 0x00000005,
  deliverSmResp: 0x80000005,
  unbind: 0x00000006,
  unbindResp: 0x80000006,
  bindTransceiver: 0x00000009,
  bindTransceiverResp: 0x80000009,
  enquireLink: 0x00000015,
  enquireLinkResp: 0x80000015,
} as const;

/** SMPP 3.4, section 5.3.2: the optional parameters that we read or write. */
export const TLV = {
  receiptedMessageId: 0x001e,
  sarReference: 0x020c,
  sarTotal: 0x020e,
  sarNumber: 0x020f,
  networkErrorCode: 0x0423,
  messagePayload: 0x0424,
  messageState: 0x0427,
} as const;

export const DATA_CODING = { default: 0, ia5: 1, latin1: 3, ucs2: 8 } as const;

/** Bits of esm_class. */
export const ESM = { typeMask: 0x3c, receipt: 0x04, intermediate: 0x20, userDataHeader: 0x40 } as const;

export const HEADER_OCTETS = 16;
/** The longest PDU that can make sense: a message_payload of 65,535 octets and all the rest. */
export const MAX_PDU_OCTETS = 0x12000;
/** Sequence numbers go from 1 to this, and around. */
export const MAX_SEQUENCE = 0x7fffffff;
