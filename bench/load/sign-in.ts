interface Person {
  email: string;
  password: string;
}

/** A session as the pages store it in the browser. */
export const signIn = async (url: string, { email, password }: Person): Promise<Record<string, string>> => {
  const answer = await fetch(`${url}/api/account/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  const { token, accountId } = (await answer.json()) as { token: string; accountId: string };
  return { token, accountId, email, activeLang: 'en_US' };
};
