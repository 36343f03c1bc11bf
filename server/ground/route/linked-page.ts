import type { MaybePromise, RequestContext } from './call.ts';

/** A page for people who came by a link of ours, and what its form posts. */
interface LinkedPage {
  /** Of what is posted. */
  maxBytes: number;
  answer: (input: LinkedPageInput) => MaybePromise<LinkedPageAnswer>;
}
export interface LinkedPageInput extends Pick<RequestContext, 'language'> {
  /** What the `*` of the path stands for. */
  rest: string;
  query: Record<string, unknown>;
  /** What was posted, as text, whichever kind of form it is. */
  body: string;
}
export type LinkedPageAnswer =
  /** The page's one style element bears the nonce. A link that leads nowhere is `missing`. */
  { html: (nonce: string) => string; missing?: boolean } | { text: string };
/** By the whole path, which is not below /api. */
export type LinkedPages = Record<`${'GET' | 'POST'} /${string}`, LinkedPage>;
