/** What a modem says without being asked: the line, and the PDU in the line after it if it has one. */
export interface Unsolicited {
  line: string;
  pdu: string | undefined;
}

/** These bring their PDU in the next line. */
const WITH_PDU = /^\+(CMT|CDS):/;
const ALONE = /^(\+(CMTI|CDSI|CUSD):|RING$|\+CREG: \d$)/;
const OPEN_QUOTE = /^\+CUSD:[^"]*"[^"]*$/;

/** Finds, line by line, what a modem says without being asked. */
export const openUnsolicited = (tell: (said: Unsolicited) => void) => {
  let awaitsPdu: string | undefined;
  /** The beginning of a USSD answer, whose text may have several lines. */
  let awaitsQuote: string | undefined;
  return {
    /** Whether the line is of that. */
    takes: (text: string): boolean => {
      if (awaitsPdu !== undefined) {
        const said = { line: awaitsPdu, pdu: text };
        awaitsPdu = undefined;
        tell(said);
        return true;
      }
      if (awaitsQuote !== undefined || OPEN_QUOTE.test(text)) {
        awaitsQuote = awaitsQuote === undefined ? text : `${awaitsQuote}\n${text}`;
        if (OPEN_QUOTE.test(awaitsQuote)) return true;
        const said = { line: awaitsQuote, pdu: undefined };
        awaitsQuote = undefined;
        tell(said);
        return true;
      }
      if (WITH_PDU.test(text)) {
        awaitsPdu = text;
        return true;
      }
      if (ALONE.test(text)) {
        tell({ line: text, pdu: undefined });
        return true;
      }
      return false;
    },
  };
};
