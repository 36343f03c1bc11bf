import { createDashboardHandler } from '@pg-boss/dashboard/handler';
import type { JobDashboard } from '../../office/job-dashboard/index.ts';

/** Where its pages and the scripts in them ask for fonts, and what they ask instead: an empty style of their own. */
const FOREIGN_FONTS = /https:\/\/fonts\.(googleapis|gstatic)\.com[^"'`\s]{0,500}/g;
const NOWHERE = 'data:text/css,';

/** The same answer, without a word to other sites: not even to say that somebody looks. */
const keepHome = async (answer: Response): Promise<Response> => {
  const { status, headers } = answer;
  if (!/^text\/(html|javascript)/.test(headers.get('content-type') ?? '')) return answer;
  return new Response((await answer.text()).replace(FOREIGN_FONTS, NOWHERE), { status, headers });
};

/** pg-boss's own pages over its tables. They open their connections with the first request. */
export const pgBossDashboard = ({
  url,
  basePath,
}: {
  url: string;
  basePath: string;
}): JobDashboard & { close: () => Promise<void> } => {
  const handler = createDashboardHandler({ databases: [{ url, name: 'Posthorn' }], basePath });
  return { answer: async (request) => keepHome(await handler(request)), close: handler.close };
};
