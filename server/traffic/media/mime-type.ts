/** The types that WhatsApp carries, from its list of supported media types. */
const KNOWN = new Set([
  'audio/aac',
  'audio/amr',
  'audio/mpeg',
  'audio/mp4',
  'audio/ogg',
  'application/msword',
  'application/pdf',
  'application/vnd.ms-excel',
  'application/vnd.ms-powerpoint',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'image/jpeg',
  'image/png',
  'image/webp',
  'text/plain',
  'video/3gpp',
  'video/mp4',
]);

/** Anything else, such as HTML or SVG from a stranger, is served as plain bytes. */
export const safeMimeType = (told: string): string => {
  const [type = ''] = told.toLowerCase().split(';');
  return KNOWN.has(type.trim()) ? type.trim() : 'application/octet-stream';
};
