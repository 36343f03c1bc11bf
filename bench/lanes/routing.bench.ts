import type { Definition, Result } from '../definition.ts';
import { describeMachine } from '../measuring/machine.ts';
import { simulateDay } from './routing-day.ts';

const SIZES = {
  full: { few: { phones: 200, messages: 200_000 }, many: { phones: 2_000, messages: 200_000 } },
  quick: { few: { phones: 20, messages: 8_000 }, many: { phones: 40, messages: 16_000 } },
};
const percent = (part: number): string => (part * 100).toFixed(1);

const measure = (size: { phones: number; messages: number }, name: string): Result => {
  const day = simulateDay(size);
  const what = `${size.phones} phones`;
  return {
    rows: [
      { what: `${what}: messages sent, and waiting at midnight`, figure: `${day.sent}, ${day.waiting}` },
      { what: `${what}: times that a window was exceeded`, figure: day.exceeded },
      { what: `${what}: the worst from its ideal volume (%)`, figure: percent(day.idealError) },
      { what: `${what}: kept with their phone where it had room (%)`, figure: percent(day.stickyShare) },
      { what: `${what}: kept with their phone of all who had one (%)`, figure: percent(day.stickyOfKnown) },
      { what: `${what}: choosing, facts included (µs a message)`, figure: day.microsecondsEach.toFixed(1) },
    ],
    figures: {
      [`${name}Exceeded`]: day.exceeded,
      [`${name}IdealError`]: day.idealError,
      [`${name}Sticky`]: day.stickyShare,
      [`${name}Microseconds`]: day.microsecondsEach,
    },
    bars: [
      { figure: `${name}Exceeded`, max: 0 },
      { figure: `${name}IdealError`, max: 0.1 },
      { figure: `${name}Sticky`, min: 0.95 },
    ],
  };
};

const bench: Definition = {
  title: 'Routing over phones: a simulated day with throttles',
  run: async ({ quick }) => {
    console.log(`${describeMachine()}\n`);
    const { few, many } = SIZES[quick ? 'quick' : 'full'];
    const [a, b] = [measure(few, 'few'), measure(many, 'many')];
    return {
      rows: [...a.rows, ...b.rows],
      figures: { ...a.figures, ...b.figures },
      bars: [...a.bars, ...b.bars],
    };
  },
};
export default bench;
