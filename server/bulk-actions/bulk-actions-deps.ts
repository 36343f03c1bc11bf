import type { ResolveDeps } from '../outbox/index.ts';

export interface BulkActionsDeps extends ResolveDeps {
  /** How long a statement of a search may take. */
  limitMs?: number | undefined;
}
