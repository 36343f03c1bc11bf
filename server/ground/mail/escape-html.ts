const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For text and quoted attributes alike. */
export const escapeHtml = (raw: string): string => raw.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
