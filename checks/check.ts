import { join } from 'node:path';
import { runChecks } from './run-checks.ts';

const { passed, failed } = await runChecks(join(import.meta.dirname, '..'));
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
