import type { OpenedJudging } from './open-judging.ts';
import { openZonePlaces, type ZonePlaces } from './places.ts';
import type { Reader, Readers } from './reader.ts';
import type { Zone } from './zones.ts';

interface OpenedZonesDeps {
  zones: Zone[];
  readers: Readers;
  judging: OpenedJudging;
  /** How long who finds no connection free waits for one. */
  placeWaitMs?: number | undefined;
}

/** The zones, each with its places for connections and its reader. */
export const openZones = ({ zones, readers, judging, placeWaitMs }: OpenedZonesDeps) => {
  const opened = new Map<number, Promise<Reader>>();
  // Zones of the program's own server share its connections.
  const shared = openZonePlaces(undefined, placeWaitMs);
  const places = new Map<Zone, ZonePlaces>(
    zones.map((zone) => [zone, zone.own ? shared : openZonePlaces(undefined, placeWaitMs)]),
  );
  return {
    find: (zoneId: number): { zone: Zone; places: ZonePlaces } | undefined => {
      const zone = zones.find(({ id }) => id === zoneId);
      const of = zone && places.get(zone);
      return of && { zone, places: of };
    },
    /** A zone's reader is opened when it is first needed: its packages are large. */
    readerOf: (zone: Zone): Promise<Reader> => {
      const found =
        opened.get(zone.id) ?? readers[zone.engine]().then((open) => open(zone, judging.of(zone.engine)));
      opened.set(zone.id, found);
      return found;
    },
    /** At once, or not at all. */
    takePlace: (zone: Zone, key: string): (() => void) => places.get(zone)?.now(key) ?? (() => {}),
  };
};

export type OpenedZones = ReturnType<typeof openZones>;
