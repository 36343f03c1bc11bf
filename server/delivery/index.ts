export type { Carrier, CarrierEvents, Inbound, Outgoing, Receipt, SendOutcome } from './carrier.ts';
export { type Lane, type LaneDefinition, openLanes, type StoredInbound } from './lane.ts';
export { LANES_CHANNEL, type LaneSettings, wakeLanes } from './lane-store.ts';
export { deliveryRoutes } from './routes.ts';
export { type Delivery, runDelivery } from './run-delivery.ts';
export { deliveryTasks } from './tasks.ts';
export type { WithdrawDeps } from './withdraw.ts';
