export type { Asker } from './ask.ts';
export { demoZones, dropFormerDemoZones, makeDemoZones, mariadbDemo } from './demo-store.ts';
export { type JudgingJob, openJudging } from './open-judging.ts';
export { openQueryService, type QueryService, type Withheld } from './open-query-service.ts';
export { ASKER_HEADER, ENTRY_HEADER, openQueryLink } from './query-link.ts';
export type { OwnServer, Reader } from './reader.ts';
export { adminQueryRoutes, ownerQueryRoutes, type QueryDeps, queryStandingRoutes } from './routes.ts';
export { listLingering } from './store.ts';
export { readZones, type Zone } from './zones.ts';
