import { callApi } from '../../api.ts';
import { expect, type Person } from '../fixtures.ts';

/** The query service starts after the program, and a busy machine takes its time. */
export const untilQueryServes = async (program: { url: string; admin: Person }): Promise<void> => {
  const { token } = (await callApi(program.url, 'POST /account/login', { body: program.admin })).reply;
  const zones = async () => (await callApi(program.url, 'GET /qf/zones', { token })).status;
  await expect.poll(zones, { timeout: 120_000 }).toBe(200);
};
