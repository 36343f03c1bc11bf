/** What a mail server answered. */
export interface SmtpReply {
  code: number;
  /** Without the codes, one a line. */
  lines: string[];
}

/** RFC 5321 has 512 octets a line; some go beyond it, none without end. */
const MAX_LINE = 4_096;
const MAX_LINES = 200;

const LINE = /^([2-5]\d\d)(?:([ -])(.*))?$/;

/** Cuts what comes from a mail server into replies. Octets are read as they are, one a character. */
export class ReplyReader {
  #rest = '';
  #lines: string[] = [];

  /** Whether nothing is left of what was pushed. */
  get isEmpty(): boolean {
    return this.#rest === '' && this.#lines.length === 0;
  }

  /** False if this is not SMTP; nothing more may be pushed then. */
  push(chunk: string, take: (reply: SmtpReply) => void): boolean {
    const text = this.#rest + chunk;
    let start = 0;
    for (let end = text.indexOf('\n', start); end >= 0; end = text.indexOf('\n', start)) {
      const line = text.slice(start, text[end - 1] === '\r' ? end - 1 : end);
      start = end + 1;
      // Before the reply is taken: it may look at what is left.
      this.#rest = text.slice(start);
      if (!this.#take(line, take)) return false;
    }
    this.#rest = text.slice(start);
    return this.#rest.length <= MAX_LINE;
  }

  #take(line: string, take: (reply: SmtpReply) => void): boolean {
    const read = line.length <= MAX_LINE ? LINE.exec(line) : null;
    if (!read) return false;
    this.#lines.push(read[3] ?? '');
    if (read[2] === '-') return this.#lines.length < MAX_LINES;
    const lines = this.#lines;
    this.#lines = [];
    take({ code: Number(read[1]), lines });
    return true;
  }
}
