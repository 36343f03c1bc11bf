export { fetchMedia, type MediaDeps } from './fetch-media.ts';
export { type MediaFiles, openMediaFiles } from './media-files.ts';
export type { MediaSource } from './media-source.ts';
export { type MediaRouteDeps, mediaRoutes } from './routes.ts';
export { expectMedia, findMedia, listStoredMedia, readMediaFacts, readMediaOf } from './store.ts';
export { mediaTasks } from './tasks.ts';
