import type { z } from 'zod';

/** Settings as they were given, before they are checked; an empty one counts as not given. */
export type Given = Record<string, string | undefined>;

/** The settings of one part of the program, such as a provider. server/config.ts puts the sections together. */
interface Section<Shape extends z.core.$ZodShape> {
  shape: Shape;
  /** Names of settings whose values are never repeated in a message. */
  secrets: readonly (keyof Shape & string)[];
  /** Those that a lane of an admin must not have: they name a file of this machine, or where its secrets go. */
  ofEnvironment?: readonly (keyof Shape & string)[];
  /** What is wrong with settings that are each right alone. `parsed` is undefined when any setting is at fault. */
  faultsOf?: (given: Given, parsed: z.infer<z.ZodObject<Shape>> | undefined) => string[];
}

/** Settings of a section once they are checked. */
export type SettingsOf<S> = S extends Section<infer Shape> ? z.infer<z.ZodObject<Shape>> : never;

export const section = <Shape extends z.core.$ZodShape>(of: Section<Shape>): Section<Shape> => of;

/** The fault of a group of settings of which some are given and some are not. */
export const incompleteGroup = (who: string, names: readonly string[], given: Given): string[] => {
  const missing = names.filter((name) => given[name] === undefined);
  return missing.length > 0 && missing.length < names.length
    ? [`${missing.join(' and ')} must be set too: ${who} needs all of ${names.join(', ')}`]
    : [];
};
