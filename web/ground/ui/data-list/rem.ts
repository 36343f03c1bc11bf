/** Pixels of one rem: readers may have larger letters than the usual 16 pixels. */
export const remPixels = (): number =>
  Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
