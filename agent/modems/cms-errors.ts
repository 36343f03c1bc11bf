/**
 * 3GPP TS 27.005, 3.2.5. About this recipient or this text: another attempt fares no better. All others are about the
 * network, the SIM or the modem.
 */
const FINAL = new Set(['CMS-1', 'CMS-28', 'CMS-30', 'CMS-304', 'CMS-305']);
const isAboutText = (code: string): boolean => /^CMS-(9[5-9]|111|1[2-9]\d)$/.test(code);
/** The network did not answer in time, or the modem does not know why: it may have been sent. */
const DOUBTFUL = new Set(['CMS-332', 'CMS-500']);

export const isRetryable = (code: string): boolean => !FINAL.has(code) && !isAboutText(code);
export const isDoubtful = (code: string): boolean => DOUBTFUL.has(code);

const BUSY = new Set(['CMS-314', 'CMS-322', 'CMS-512', 'CME-14', 'BUSY']);
const NO_NETWORK = new Set(['CMS-331', 'CME-30', 'CME-31']);

/** As the server is told: names for what it can act on, and the modem's own word otherwise. */
export const cmsErrorName = (code: string): string => {
  if (BUSY.has(code)) return 'BUSY';
  return NO_NETWORK.has(code) ? 'NO_NETWORK' : code;
};
