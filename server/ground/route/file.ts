import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { AsCaller, AsSender, MaybePromise, RequestContext } from './call.ts';

/** A file as an answer. Its body is read as fast as the caller takes it; one that fails on the way is cut off. */
export interface FileAnswer {
  contentType: string;
  /** What it is saved as. */
  fileName: string;
  body: Readable | Buffer;
  /** The length of the body, where it is known beforehand. */
  bytes?: number;
  /** A stranger sent it: it may have any name, and is never shown as a page of ours. */
  foreign?: boolean;
}

interface FileCall<Who, P extends z.ZodType, Q extends z.ZodType> {
  summary: string;
  params: P;
  query?: Q;
  // As methods: a table holds routes of different schemas, and only theirs are handed to each.
  answer(input: RequestContext & Who & { params: z.output<P>; query: z.output<Q> }): MaybePromise<FileAnswer>;
}
export type FileRoute<Who = object> = FileCall<Who, z.ZodType, z.ZodType>;

const fileFor =
  <Who>() =>
  <P extends z.ZodType, Q extends z.ZodType>(route: FileCall<Who, P, Q>): FileRoute<Who> =>
    route;

/** These infer from its schemas what a route's handler is given. */
export const callerFile = fileFor<AsCaller>();
export const senderFile = fileFor<AsSender>();

/** By `GET /path`, below /api. */
export type CallerFiles = Record<`GET /${string}`, FileRoute<AsCaller>>;
export type SenderFiles = Record<`GET /${string}`, FileRoute<AsSender>>;
