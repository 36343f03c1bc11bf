import type { OutboxDeps } from '../outbox/index.ts';
import type { Timing } from './timing.ts';

export interface DeliveryDeps extends OutboxDeps {
  timing: Timing;
}
