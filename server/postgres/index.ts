export { checkServer } from './check-server.ts';
export { column } from './column.ts';
export { isDatabaseAway } from './connection-error.ts';
export { type Database, type Db, openDatabase } from './database.ts';
export { type Embedded, joinEmbedded, startEmbedded } from './embedded.ts';
export { listenTo } from './listen.ts';
export { isLockTimeout } from './lock-timeout.ts';
export { migrate } from './migrate.ts';
export { prepared } from './prepared.ts';
