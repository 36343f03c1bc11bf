import type { OutboxDeps } from '../outbox/index.ts';
import type { DeliveryTiming } from './timing.ts';

export interface DeliveryDeps extends OutboxDeps {
  timing: DeliveryTiming;
}
