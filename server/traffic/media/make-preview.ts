import type sharpModule from 'sharp';

/** Enough for a bubble of a conversation, also on dense screens. */
const SIDE_PIXELS = 480;
/** WhatsApp carries images of up to 5 MB. A picture of few bytes may still have any number of pixels. */
export const PREVIEW_MAX_BYTES = 16 * 1024 * 1024;
const MAX_PIXELS = 50_000_000;
export const PREVIEW_MAX_MS = 10_000;
const QUALITY = 70;

/** Strangers choose the bytes: libvips may use these decoders and no others, whatever a file calls itself. */
const DECODERS = ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'];

let loaded: Promise<typeof sharpModule> | undefined;
/** Loaded with the first picture: most processes never see one. */
const load = (): Promise<typeof sharpModule> => {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({ operation: DECODERS });
    // One thread a picture, and nothing kept: previews are made once.
    sharp.concurrency(1);
    sharp.cache(false);
    return sharp;
  });
  return loaded;
};

/**
 * A small copy of a picture, upright and without metadata such as the place where it was taken; undefined if it can't
 * be read. The work is done in libuv's threads. Of an animation it shows the first frame.
 */
export const makePreview = async (bytes: Buffer): Promise<Buffer | undefined> => {
  const sharp = await load();
  try {
    return await sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 })
      .timeout({ seconds: PREVIEW_MAX_MS / 1_000 })
      .autoOrient()
      .resize({ width: SIDE_PIXELS, height: SIDE_PIXELS, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: QUALITY })
      .toBuffer();
  } catch {
    // Damaged, too large, or no picture at all: whatever its sender called it.
    return undefined;
  }
};
