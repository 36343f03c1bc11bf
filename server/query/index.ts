export type { Asker } from './ask.ts';
export { demoZones, dropFormerDemoZones, makeDemoZones, mariadbDemo } from './demo-store.ts';
export { openQueryService, type QueryService } from './open-query-service.ts';
export { ASKER_HEADER, ENTRY_HEADER, openQueryLink, type QueryLink } from './query-link.ts';
export type { OpenReader, OwnServer, Reader, ReaderOptions, Readers } from './reader.ts';
export { adminQueryRoutes, type QueryDeps } from './routes.ts';
export { readZones, type Zone } from './zones.ts';
