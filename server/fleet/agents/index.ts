export { agentDriver } from './agent-driver.ts';
export { openHandOverDesk } from './hand-over-desk.ts';
export { listMovedPhones } from './modem-store.ts';
export { type AgentRouteDeps, adminAgentRoutes } from './routes.ts';
export { agentSockets, openSwitchboard, type Switchboard } from './switchboard.ts';
