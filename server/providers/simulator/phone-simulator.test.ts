import { expect, it } from 'vitest';
import type { PhoneId } from '../../../contract/fleet/phones.ts';
import { SIMULATED_RECIPIENTS } from '../../../contract/traffic/simulator.ts';
import { listen, newOutgoing } from '../../../test/suites/carrier-suite.ts';
import { phoneSimulator } from './phone-simulator.ts';

const driver = phoneSimulator({ recipients: SIMULATED_RECIPIENTS });
const phone = (id: string, simHost: string) => ({
  id: id as PhoneId,
  phoneNumber: '+85261110000',
  simHost,
  whatsappHost: '',
  imsi: '',
  estimatedMicros: null,
});

it('a simulated phone answers and sends, one at an unreachable host does neither', async () => {
  const [near, away] = [phone('a', 'pi-1'), phone('b', 'unreachable-1')];
  expect((await driver.look([near, away])).map(({ phoneId }) => phoneId)).toEqual(['a']);
  const [up, down] = [near, away].map((one) => driver.carrier({ phone: one, channel: 'sms' }));
  await up?.open(listen());
  await down?.open(listen());
  expect([up?.isUp(), down?.isUp()]).toEqual([true, false]);
  expect(await up?.send(newOutgoing({ recipient: '+85261112222' }))).toMatchObject({ outcome: 'accepted' });
  expect(await down?.send(newOutgoing({ recipient: '+85261112222' }))).toMatchObject({
    outcome: 'refused',
    retryable: true,
  });
  await up?.close(1_000);
});

it('replies to a message that names no sender come to the number of the phone', async () => {
  const carrier = driver.carrier({ phone: phone('a', 'pi-1'), channel: 'sms' });
  const events = listen();
  await carrier.open(events);
  await carrier.send(newOutgoing({ recipient: '+85261110008', from: undefined }));
  await carrier.close(5_000);
  expect(events.inbounds).toMatchObject([{ to: '+85261110000' }]);
});
