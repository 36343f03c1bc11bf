import type { ReactElement } from 'react';
import type { Language } from '../../../../contract/ground/constants.ts';

const STRIPES = [0, 2, 4, 6, 8, 10, 12];
const PETALS = [0, 72, 144, 216, 288];

const StarsAndStripes = () => (
  <svg viewBox="0 0 21 14" aria-hidden="true">
    <rect width="21" height="14" fill="#fff" />
    {STRIPES.map((y) => (
      <rect key={y} y={y * 1.0769} width="21" height="1.0769" fill="#b3263a" />
    ))}
    <rect width="9.4" height="7.54" fill="#2c3f77" />
    <g fill="#fff">
      {[1.5, 3.75, 6].map((y) =>
        [1.4, 3.6, 5.8, 8].map((x) => <circle key={`${x} ${y}`} cx={x} cy={y} r="0.5" />),
      )}
    </g>
  </svg>
);

const Bauhinia = () => (
  <svg viewBox="0 0 21 14" aria-hidden="true">
    <rect width="21" height="14" fill="#d4213d" />
    <g transform="translate(10.5 7)" fill="#fff">
      {PETALS.map((angle) => (
        <path key={angle} transform={`rotate(${angle})`} d="M0-.6C-2-1.6-2-4.3-.2-5 1-4.5 1.9-3 0-.6Z" />
      ))}
    </g>
  </svg>
);

export const FLAGS: Record<Language, () => ReactElement> = { en_US: StarsAndStripes, zh_HK: Bauhinia };
