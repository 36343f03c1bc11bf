/** How mail servers mark what they wrote themselves: Postfix, Exim, sendmail. */
const OWN = [/^by /i, /^from \S{1,255} by \S{1,255} with local /i, /^from localhost \(localhost\) by /i];

/**
 * Whether a mail server got this mail from elsewhere. Each writes a field Received above all that it takes (RFC 5321,
 * 4.4), so whoever wrote the mail has no say in the first one.
 */
export const isPassedOn = (raw: Buffer): boolean => {
  const [head = ''] = raw.toString('latin1').split(/\r?\n\r?\n/, 1);
  return head
    .replace(/\r?\n[ \t]/g, ' ')
    .split(/\r?\n/)
    .filter((field) => /^received:/i.test(field))
    .map((field) =>
      field
        .slice(field.indexOf(':') + 1)
        .trim()
        .replace(/\s{1,1000}/g, ' '),
    )
    .some((trace) => !OWN.some((form) => form.test(trace)));
};
