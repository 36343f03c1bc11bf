import { startTwilio, type Twilio } from '../../emulators/twilio.ts';
import type { Call } from '../customer/customers.ts';
import { test as base, expect, type RunningProgram } from '../fixtures.ts';

/** The account at Twilio that lanes of these tests use. */
export const TWILIO_SID = `AC${'5'.repeat(32)}`;
export const TWILIO_NUMBER = '+15005550006';

/** Also starts emulated Twilios, each of which knows the account by another token. */
export const test = base.extend<{ openTwilio: (token: string) => Promise<Twilio> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern.
  openTwilio: async ({}, use) => {
    const opened: Twilio[] = [];
    await use(async (token) => {
      const account = { sid: TWILIO_SID, token, keys: [], numbers: [TWILIO_NUMBER], messagingServices: [] };
      const twilio = await startTwilio(account);
      opened.push(twilio);
      return twilio;
    });
    for (const twilio of opened) await twilio.close();
  },
});

/** Where Twilio tells a lane that an admin made what people write. */
export const inboundUrl = ({ url }: RunningProgram, lane: string): string =>
  `${url}/api/providers/lanes/${lane}/inbound`;

/** While there is a real lane nothing goes by simulators, which other tests send by. */
export const removeRealLane = async (admin: Call, laneId: number): Promise<void> => {
  await admin('DELETE /admin/lanes/:laneId', { params: { laneId: String(laneId) } });
  await expect.poll(async () => (await admin('GET /startup')).channels.sms.simulated).toBe(true);
};
