import type { Tone } from '../../../ground/ui/tag.tsx';

const LONG_SECONDS = 1_800;
const TOO_LONG_SECONDS = 3_600;

export const durationTone = (seconds: number): Tone => {
  if (seconds > TOO_LONG_SECONDS) return 'bad';
  return seconds > LONG_SECONDS ? 'wait' : 'good';
};

/** Short enough for a badge, and the same in all languages: 45s, 12m 5s, 3h 20m, 2d 4h. */
export const durationText = (seconds: number): string => {
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  if (first < 0) return '0s';
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count}${unit}`)
    .join(' ');
};
