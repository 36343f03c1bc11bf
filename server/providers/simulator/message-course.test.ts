import { expect, it } from 'vitest';
import type { SimulatedKind } from '../../../contract/traffic/simulator.ts';
import { listen, newOutgoing } from '../../../test/suites/carrier-suite.ts';
import { answerMs, followUpsOf, openAnswers } from './message-course.ts';

const told = async (kind: SimulatedKind): Promise<(string | undefined)[]> => {
  const heard = listen();
  for (const { tell } of followUpsOf(newOutgoing({ recipient: '+85261110000' }), { kind, number: '' }))
    await tell(heard);
  return [
    ...heard.receipts.map(({ state, code }) => `${state}${code}`),
    ...heard.inbounds.map(({ text }) => text),
  ];
};

it.each<[SimulatedKind, string[], string[]]>([
  ['delivered', ['accepted'], ['delivered']],
  ['slow', ['accepted'], ['delivered']],
  ['failed', ['accepted'], ['failedSIM_FAILED']],
  ['read', ['accepted'], ['delivered', 'read']],
  ['replies', ['accepted'], ['delivered', 'OK, thank you!']],
  ['stops', ['accepted'], ['delivered', 'STOP']],
  ['no-receipt', ['accepted'], []],
  ['early-receipt', ['accepted'], []],
  ['busy', ['refused', 'refused', 'accepted'], ['delivered']],
  ['refused', ['refused', 'refused'], []],
  ['silent', ['unknown'], []],
])('%s', async (kind, outcomes, after) => {
  const answerOf = openAnswers();
  expect(outcomes.map(() => answerOf('1', kind).outcome)).toEqual(outcomes);
  expect(outcomes.at(-1) === 'accepted' ? await told(kind) : []).toEqual(after);
});

it.each<[SimulatedKind, number, number]>([
  ['silent', 5_000, 5_000],
  ['slow', 3_000, 3_000],
  ['early-receipt', 300, 300],
  ['delivered', 20, 80],
])('%s is answered after %i to %i milliseconds', (kind, least, most) => {
  expect(answerMs('1', kind)).toBeGreaterThanOrEqual(least);
  expect(answerMs('1', kind)).toBeLessThanOrEqual(most);
});
