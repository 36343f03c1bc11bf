import type { MediaSource } from '../../traffic/media/media-source.ts';
import { CLOUD_DEFAULTS, type CloudSettings } from './cloud-options.ts';
import { openGraph } from './graph.ts';
import { errorIn, graphRefusal } from './graph-errors.ts';
import { objectOf, textOf } from './read-json.ts';

/** Meta's answer for an id that it does not have any more: 'Unsupported get request … does not exist'. */
const GONE = 100;

/** In hexadecimal digits here, and in base 64 elsewhere. */
const hexOf = (sha256: string): string | undefined =>
  sha256 === '' || /^[0-9a-f]{64}$/i.test(sha256)
    ? sha256 || undefined
    : Buffer.from(sha256, 'base64').toString('hex');

/** First the address of the bytes, which is good for five minutes, then the bytes; both with our token. */
export const cloudMedia = (settings: CloudSettings): MediaSource => {
  const graph = openGraph({ ...CLOUD_DEFAULTS, ...settings, window: 4 });
  return {
    fetch: async (mediaId, signal) => {
      const answer = await graph.get(
        `${encodeURIComponent(mediaId)}?phone_number_id=${encodeURIComponent(settings.phoneNumberId)}`,
      );
      if (answer.status !== 200) {
        const isGone = answer.status === 404 || Number(errorIn(answer.body)?.code) === GONE;
        if (isGone) return 'gone';
        throw new Error(graphRefusal(answer).outcome.reason);
      }
      const { url, mime_type, sha256 } = objectOf(answer.body);
      const { status, body } = await graph.download(textOf(url), signal);
      if (status !== 200) {
        body.resume();
        throw new Error(`the media was answered with HTTP ${status}`);
      }
      return { mimeType: textOf(mime_type), sha256: hexOf(textOf(sha256)), body };
    },
  };
};
