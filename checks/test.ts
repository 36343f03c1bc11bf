import { STAGES } from './stages.ts';
import { add, inWords } from './tally.ts';

const [chosen, ...filters] = process.argv.slice(2);
const names = chosen === undefined ? Object.keys(STAGES) : [chosen];

const minutes = (ms: number): string =>
  ms < 60_000
    ? `${(ms / 1000).toFixed(1)} s`
    : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;

const begun = performance.now();
const lines: string[] = [];
const told: string[] = [];
const tallies = [];
for (const name of names) {
  const stage = STAGES[name];
  if (!stage) {
    console.log(`There is no part named ${name}: choose one of ${Object.keys(STAGES).join(', ')}.`);
    process.exit(1);
  }
  const stageBegun = performance.now();
  console.log(`\n${stage.title}`);
  const tally = await stage.run(filters);
  tallies.push(tally);
  // The last stage's end stands right above.
  if (tally.told && name !== names.at(-1))
    told.push(`${stage.title}, where something failed, ended with:\n\n${tally.told}\n`);
  lines.push(`${stage.title}: ${inWords(tally)}  ${minutes(performance.now() - stageBegun)}`);
}
const total = add(tallies);
console.log(
  `\n${[...told, ...lines].join('\n')}\nAll in ${minutes(performance.now() - begun)}\n\n${inWords(total)}`,
);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
