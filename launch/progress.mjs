import { performance } from 'node:perf_hooks';

/** Shows the current step while it runs, and how long it took: 'posthorn: Installing packages … 21 s'. */
export const withProgress = async (what, work) => {
  const begun = performance.now();
  process.stdout.write(`posthorn: ${what} … `);
  try {
    const result = await work();
    process.stdout.write(`${Math.max(1, Math.round((performance.now() - begun) / 1000))} s\n`);
    return result;
  } catch (error) {
    process.stdout.write('failed\n');
    throw error;
  }
};
