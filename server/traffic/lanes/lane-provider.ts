import { z } from 'zod';
import type { Channel } from '../../../contract/ground/channels.ts';
import type { ProviderLane } from './provider-lane.ts';

/** Settings by the names that they have in the environment. */
export type ProviderSettings = Record<string, string>;

/** A provider whose lanes an admin can make: its settings are checked as those of the environment are. */
export interface LaneProvider {
  name: string;
  channel: Channel;
  simulated: boolean;
  /** The names of its settings. */
  settings: readonly string[];
  /** Never shown again. */
  secrets: readonly string[];
  /** Makes the lane; throws with the fault in words, which names no secret. */
  lane: (settings: ProviderSettings, laneName: string) => ProviderLane;
}

/** The part of a settings section that a lane needs; `faultsOf` has what is wrong with several settings together. */
interface Section<Settings> {
  shape: z.core.$ZodShape;
  ofEnvironment?: readonly string[];
  faultsOf?: (given: ProviderSettings, parsed: Settings | undefined) => string[];
}

/** The names of the settings that an admin may give a lane. */
export const settingsOfLane = ({ shape, ofEnvironment = [] }: Section<never>): string[] =>
  Object.keys(shape).filter((name) => !ofEnvironment.includes(name));

/** Checks settings by the section that the environment's are checked by. */
export const parseSettings = <Settings>(section: Section<Settings>, given: ProviderSettings): Settings => {
  const parsed = z.strictObject(section.shape).safeParse(given);
  const faults = parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`.trim());
  for (const name of section.ofEnvironment ?? [])
    if (name in given) faults.push(`${name} can be set in the environment only`);
  const settings = parsed.success ? (parsed.data as Settings) : undefined;
  faults.push(...(section.faultsOf?.(given, settings) ?? []));
  if (settings === undefined || faults.length > 0) throw new Error(faults.join('; '));
  return settings;
};
