const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

/** The names of the placeholders in a text, such as `to` of `{{to}}`. */
export const placeholderNames = (text: string): string[] =>
  [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name.trim());

export type Values = (name: string) => string | undefined;

/** Fills in values, each escaped by itself: what stands in a value is never read as part of the template. */
export const fillPlaceholders = (
  text: string,
  values: Values,
  escaped: (value: string) => string = (value) => value,
): string => text.replaceAll(PLACEHOLDER, (_, name: string) => escaped(values(name.trim()) ?? ''));

/** A text that is nothing but a placeholder without a value: its field is left out. */
export const isAbsent = (text: string, values: Values): boolean => {
  const [, name] = /^\{\{([^{}]*)\}\}$/.exec(text) ?? [];
  return name !== undefined && values(name.trim()) === undefined;
};

const XML: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

export const ESCAPES = {
  none: (value: string): string => value,
  /** Control characters can't stand in XML at all. */
  xml: (value: string): string =>
    value.replace(/(?![\t\n\r])[\p{Cc}\ufffe\uffff]/gu, '').replace(/[&<>"']/g, (one) => XML[one] ?? one),
  json: (value: string): string => JSON.stringify(value).slice(1, -1),
  url: encodeURIComponent,
};
