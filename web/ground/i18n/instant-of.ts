import { toWireMoment } from './moment-text.ts';
import { timeZone } from './time-zone.ts';

/** What the account's clock shows, as if it were UTC. */
const shownAt = (at: number): number =>
  Date.parse(`${new Date(at).toLocaleString('sv-SE', { timeZone: timeZone() }).replace(' ', 'T')}Z`);

/** When the account's clock shows this minute, yyyy-MM-dd HH:mm, as an instant of UTC. */
export const instantOf = (moment: string): string => {
  const wanted = Date.parse(`${toWireMoment(moment)}:00Z`);
  let at = wanted;
  // The second step mends the first where the clocks are changed in between.
  for (let step = 0; step < 2; step += 1) at += wanted - shownAt(at);
  return new Date(at).toISOString();
};
