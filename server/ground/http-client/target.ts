/** The parts of a URL. Its user and password become Basic authentication. */
export const targetOf = (
  url: string,
): { origin: string; path: string; authorization: string | undefined } => {
  const { protocol, origin, pathname, search, username, password } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') throw new Error(`${protocol} is not HTTP`);
  const user = username || password ? `${decodeURIComponent(username)}:${decodeURIComponent(password)}` : '';
  return {
    origin,
    path: `${pathname}${search}`,
    authorization: user ? `Basic ${Buffer.from(user).toString('base64')}` : undefined,
  };
};

/** Adds the user of the URL unless the headers already authorize the call. */
export const authorized = (
  headers: Record<string, string>,
  authorization: string | undefined,
): Record<string, string> => (authorization ? { authorization, ...headers } : headers);
