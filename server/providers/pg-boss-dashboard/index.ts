import { createDashboardHandler } from '@pg-boss/dashboard/handler';
import type { JobDashboard } from '../../job-dashboard/index.ts';

/** pg-boss's own pages over its tables. They open their connections with the first request. */
export const pgBossDashboard = ({
  url,
  basePath,
}: {
  url: string;
  basePath: string;
}): JobDashboard & { close: () => Promise<void> } => {
  const handler = createDashboardHandler({ databases: [{ url, name: 'Posthorn' }], basePath });
  return { answer: handler, close: handler.close };
};
