import { setPriority } from 'node:os';
import type { QueryEngineName } from '../../contract/office/query.ts';
import { serveJobs } from '../ground/worker-threads/index.ts';
import type { JudgingJob } from '../office/query/index.ts';

/** The program of the threads in which statements are judged: whatever a text does to a parser, it does it here. */
const judges = {
  postgres: async () => (await import('../providers/postgres-reader/index.ts')).postgresJudge,
  mysql: async () => (await import('../providers/mysql-reader/index.ts')).mysqlJudge,
};

const work = async (engine: QueryEngineName, job: JudgingJob) => {
  const judge = await judges[engine]();
  return job.kind === 'judge' ? judge.judge(job.sql, job.rowLimit) : judge.trace(job.sql, job.secrets);
};

/** Behind the thread that answers all. Linux means this thread alone, other systems the whole process. */
if (process.platform === 'linux') setPriority(10);

serveJobs(async ({ engines, ...job }: JudgingJob & { engines: QueryEngineName[] }) => {
  try {
    const [answer] = await Promise.all(engines.map((engine) => work(engine, job)));
    return answer;
  } catch (error) {
    // A stack that ran over, or memory that could not be had: a parser that was stopped anywhere is not asked again.
    if (error instanceof RangeError || error instanceof WebAssembly.RuntimeError) process.exit(1);
    throw error;
  }
});
