/** A final answer of a modem that is not OK, such as `CMS-38`, `CME-10` or `ERROR`. */
export class AtError extends Error {
  readonly code: string;
  constructor(code: string) {
    super(`the modem answered ${code}`);
    this.name = 'AtError';
    this.code = code;
  }
}

/** No answer within the time, or the line to the modem ended. */
export class AtSilence extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'AtSilence';
  }
}

/** It failed before the modem had the message. */
export class NothingSent extends Error {
  override readonly cause: Error;
  constructor(cause: Error) {
    super(cause.message);
    this.name = 'NothingSent';
    this.cause = cause;
  }
}
