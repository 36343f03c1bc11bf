import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const ROOT = join(import.meta.dirname, '..');

/**
 * The files that take longest. Without the durations of an earlier run the runner begins with the largest files, and
 * some of these are short: begun last, one keeps a single worker busy while the others have nothing left to do.
 */
const LONGEST = [
  'test/benches.test.ts',
  'test/proofs.test.ts',
  'test/lifecycle/faults.test.ts',
  'test/lifecycle/kill.test.ts',
  'test/lifecycle/launcher.test.ts',
  'test/lifecycle/stop.test.ts',
  'test/lifecycle/query.test.ts',
  'web/pages/dashboard-pages.test.tsx',
  'web/pages/devices-page.test.tsx',
  'agent/gammu/gammu-modem.test.ts',
  'server/traffic/uploads/large-upload.test.ts',
  'server/traffic/messages/file-routes.test.ts',
  'server/traffic/delivery/failover.test.ts',
  'server/http/defence/end-slow-requests.test.ts',
  'server/traffic/delivery/recover-workers.test.ts',
  'server/traffic/delivery/run-failover.test.ts',
  'server/providers/whatsapp-web/whatsapp-web.test.ts',
  'server/office/query/see-ended.test.ts',
  'server/office/query/linger.test.ts',
  'server/office/query/fuzz.test.ts',
  'server/office/query/statements.test.ts',
  'server/traffic/delivery/serve-lane.test.ts',
  'server/traffic/delivery/resolved-under-load.test.ts',
].map((path) => join(ROOT, path));

const placeOf = ({ moduleId }: TestSpecification): number => {
  const at = LONGEST.indexOf(moduleId);
  return at < 0 ? LONGEST.length : at;
};

/** The runner's order of groups and projects; in each project the longest files come first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const gone = LONGEST.find((path) => !existsSync(path));
    if (gone) throw new Error(`test/longest-first.ts names a file that is not there: ${gone}`);
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) =>
      sorted.filter((file) => file.project === project).toSorted((a, b) => placeOf(a) - placeOf(b)),
    );
  }
}
