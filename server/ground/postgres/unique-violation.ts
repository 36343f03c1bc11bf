/** Whether a row was refused because another has this unique key, perhaps since a moment ago. */
export const isUniqueViolation = (error: unknown, constraint: string): boolean => {
  const { code, constraint: broken } = (error ?? {}) as { code?: string; constraint?: string };
  return code === '23505' && broken === constraint;
};
