import type { ResolveDeps } from '../../traffic/outbox/index.ts';

export interface BulkActionsDeps extends ResolveDeps {
  /** How long a statement of a search may take. */
  limitMs?: number | undefined;
}
