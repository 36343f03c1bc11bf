/**
 * The number of a WhatsApp id. In two countries it is not quite the number that is dialled: Mexican mobiles have a
 * 1 behind the country code there, and older Brazilian ones lack the 9 that was put before them.
 */
export const numberOf = (waId: string): string => {
  const digits = waId.replace(/\D/g, '');
  const mexican = /^521(\d{10})$/.exec(digits);
  if (mexican) return `+52${mexican[1]}`;
  const brazilian = /^55(\d{2})([6-9]\d{7})$/.exec(digits);
  if (brazilian) return `+55${brazilian[1]}9${brazilian[2]}`;
  return `+${digits}`;
};
