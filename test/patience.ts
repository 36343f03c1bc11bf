import { vi } from 'vitest';

/** The runner's own limit is a second, which a busy machine needs for anything. */
const PATIENCE_MS = 20_000;

const patient = Symbol.for('posthorn.patient');
const { waitFor } = vi;
/** Before each file of tests: what a test waits for without naming a limit may take this long. */
const waitPatiently: typeof waitFor = (callback, options = {}) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout: PATIENCE_MS, ...options });
// A worker may run several files one after another.
if (!(patient in waitFor)) vi.waitFor = Object.assign(waitPatiently, { [patient]: true });
