export type { Asker } from './ask.ts';
export { demoZones, dropFormerDemoZones, makeDemoZones, mariadbDemo } from './demo-store.ts';
export { type JudgingJob, type OpenedJudging, openJudging } from './open-judging.ts';
export { openQueryService, type QueryService, type Withheld } from './open-query-service.ts';
export { ASKER_HEADER, ENTRY_HEADER, openQueryLink, type QueryLink } from './query-link.ts';
export type { Judge, Judging, OpenReader, OwnServer, Reader, ReaderOptions, Readers } from './reader.ts';
export { adminQueryRoutes, ownerQueryRoutes, type QueryDeps, queryStandingRoutes } from './routes.ts';
export { listLingering } from './store.ts';
export { readZones, type Zone } from './zones.ts';
