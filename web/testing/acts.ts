import { fireEvent, waitFor } from '@testing-library/react';
import { vi } from 'vitest';

/** Found by their texts: to look for a role takes longer than all the rest of a test. */
export const button = (text: string) =>
  waitFor(() => {
    const found = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === text);
    if (!found) throw new Error(`no button ${text}`);
    return found;
  });
export const hasButton = (text: string): boolean =>
  [...document.querySelectorAll('button')].some(({ textContent }) => textContent === text);
export const press = async (text: string) => fireEvent.click(await button(text));

export const field = (label: string) =>
  waitFor(() => {
    const name = [...document.querySelectorAll('label')].find(({ textContent }) => textContent === label);
    const found = name && document.getElementById(name.htmlFor);
    if (!found) throw new Error(`no field ${label}`);
    return found as HTMLInputElement;
  });
export const type = async (label: string, value: string) =>
  fireEvent.change(await field(label), { target: { value } });
export const submit = async (name: string) =>
  fireEvent.submit(
    await waitFor(() => {
      const form = document.querySelector(`form[aria-label="${name}"]`);
      if (!form) throw new Error(`no form ${name}`);
      return form;
    }),
  );

/** Opens what a list shows beside the row that has this text. */
export const openRow = async (text: string) => {
  const row = await waitFor(() => {
    const found = [...document.querySelectorAll('tbody tr')].find((one) => one.textContent?.includes(text));
    if (!found) throw new Error(`no row ${text}`);
    return found;
  });
  fireEvent.click(row.querySelector('td') as Element);
};

/** Calls of this method since fetch was watched, with what they sent. */
export const sent = (method: string) =>
  vi
    .mocked(fetch)
    .mock.calls.flatMap(([url, init]) =>
      init?.method === method
        ? [{ path: String(url), body: init.body ? JSON.parse(String(init.body)) : undefined }]
        : [],
    );
