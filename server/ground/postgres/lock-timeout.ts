/** Whether a statement gave up because it could not get its lock in time. */
export const isLockTimeout = (error: unknown): boolean =>
  (error as { code?: unknown } | null | undefined)?.code === '55P03';
