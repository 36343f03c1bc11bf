/**
 * Search values are texts, except objects and lists, which are JSON. The router's own parser would turn a token
 * made of digits into a number, and so change it.
 */
const parseValue = (text: string): unknown => {
  if (!/^[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

export const parseSearch = (search: string): Record<string, unknown> =>
  Object.fromEntries([...new URLSearchParams(search)].map(([name, text]) => [name, parseValue(text)]));

export const stringifySearch = (search: Record<string, unknown>): string => {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined) params.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  const text = params.toString();
  return text && `?${text}`;
};
