import type { SendOutcome } from '../../../traffic/lanes/index.ts';

/** SMPP 3.4, section 5.1.3: every status that is named there, and what it says. */
const STATUSES: Record<number, readonly [code: string, reason: string]> = {
  1: ['ESME_RINVMSGLEN', 'The message length is not valid.'],
  2: ['ESME_RINVCMDLEN', 'The command length is not valid.'],
  3: ['ESME_RINVCMDID', 'The command is not known.'],
  4: ['ESME_RINVBNDSTS', 'The command does not fit the state of the bind.'],
  5: ['ESME_RALYBND', 'The bind exists already.'],
  6: ['ESME_RINVPRTFLG', 'The priority is not valid.'],
  7: ['ESME_RINVREGDLVFLG', 'The request for a receipt is not valid.'],
  8: ['ESME_RSYSERR', 'The message centre has an error.'],
  10: ['ESME_RINVSRCADR', 'The sender is not valid.'],
  11: ['ESME_RINVDSTADR', 'The recipient is not valid.'],
  12: ['ESME_RINVMSGID', 'The message id is not valid.'],
  13: ['ESME_RBINDFAIL', 'The bind failed.'],
  14: ['ESME_RINVPASWD', 'The password is not valid.'],
  15: ['ESME_RINVSYSID', 'The system id is not valid.'],
  17: ['ESME_RCANCELFAIL', 'The message could not be cancelled.'],
  19: ['ESME_RREPLACEFAIL', 'The message could not be replaced.'],
  20: ['ESME_RMSGQFUL', 'The queue of the message centre is full.'],
  21: ['ESME_RINVSERTYP', 'The service type is not valid.'],
  51: ['ESME_RINVNUMDESTS', 'The number of recipients is not valid.'],
  52: ['ESME_RINVDLNAME', 'The name of the distribution list is not valid.'],
  64: ['ESME_RINVDESTFLAG', 'The destination flag is not valid.'],
  66: ['ESME_RINVSUBREP', 'The request to replace a message is not valid.'],
  67: ['ESME_RINVESMCLASS', 'The message class is not valid.'],
  68: ['ESME_RCNTSUBDL', 'The distribution list can not be submitted to.'],
  69: ['ESME_RSUBMITFAIL', 'The message was not taken.'],
  72: ['ESME_RINVSRCTON', 'The type of the sender is not valid.'],
  73: ['ESME_RINVSRCNPI', 'The numbering plan of the sender is not valid.'],
  80: ['ESME_RINVDSTTON', 'The type of the recipient is not valid.'],
  81: ['ESME_RINVDSTNPI', 'The numbering plan of the recipient is not valid.'],
  83: ['ESME_RINVSYSTYP', 'The system type is not valid.'],
  84: ['ESME_RINVREPFLAG', 'The replace flag is not valid.'],
  85: ['ESME_RINVNUMMSGS', 'The number of messages is not valid.'],
  88: ['ESME_RTHROTTLED', 'The message centre allows no more messages just now.'],
  97: ['ESME_RINVSCHED', 'The delivery time is not valid.'],
  98: ['ESME_RINVEXPIRY', 'The validity period is not valid.'],
  99: ['ESME_RINVDFTMSGID', 'The predefined message is not known.'],
  100: ['ESME_RX_T_APPN', 'The receiver has an error for now.'],
  101: ['ESME_RX_P_APPN', 'The receiver has an error for good.'],
  102: ['ESME_RX_R_APPN', 'The receiver rejects the message.'],
  103: ['ESME_RQUERYFAIL', 'The query failed.'],
  192: ['ESME_RINVOPTPARSTREAM', 'The optional part is not valid.'],
  193: ['ESME_ROPTPARNOTALLWD', 'An optional parameter is not allowed.'],
  194: ['ESME_RINVPARLEN', 'The length of a parameter is not valid.'],
  195: ['ESME_RMISSINGOPTPARAM', 'An optional parameter is missing.'],
  196: ['ESME_RINVOPTPARAMVAL', 'The value of an optional parameter is not valid.'],
  254: ['ESME_RDELIVERYFAILURE', 'The delivery failed.'],
  255: ['ESME_RUNKNOWNERR', 'The message centre has an error without a name.'],
};

export const STATUS = {
  ok: 0,
  invalidLength: 1,
  invalidCommandLength: 2,
  invalidCommand: 3,
  invalidBindState: 4,
  systemError: 8,
  queueFull: 20,
  throttled: 88,
  temporaryError: 100,
} as const;

/** An error answer says that the message was not accepted; these say that it may be later. */
const RETRYABLE = new Set<number>([
  STATUS.invalidBindState,
  STATUS.systemError,
  STATUS.queueFull,
  STATUS.throttled,
  STATUS.temporaryError,
]);

export const asksToSlowDown = (status: number): boolean =>
  status === STATUS.throttled || status === STATUS.queueFull;

export const isThrottle = (said: SendOutcome): boolean =>
  said.outcome === 'refused' && THROTTLES.has(said.code);

export const statusName = (status: number): string =>
  STATUSES[status]?.[0] ?? `0x${status.toString(16).padStart(8, '0')}`;

const THROTTLES = new Set([statusName(STATUS.throttled), statusName(STATUS.queueFull)]);

export type SmppRefusal = SendOutcome & { outcome: 'refused' };

export const statusRefusal = (status: number): SmppRefusal => ({
  outcome: 'refused',
  code: statusName(status),
  reason: STATUSES[status]?.[1] ?? 'The message centre answered with an error of its own.',
  retryable: RETRYABLE.has(status),
});
