import type { z } from 'zod';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { ErrorCode } from '../../../contract/ground/errors.ts';
import type { AsCaller, AsSender, MaybePromise, RequestContext } from './call.ts';

/** A file that was taken from a form, wherever it is kept until it is worked on. */
interface Closing {
  close: () => Promise<void>;
}

/** The part of a form that is a file, and how it is received. */
export interface FilePart<Kept extends Closing> {
  name: string;
  maxBytes: number;
  /** The refusal of a form without it. */
  missing: ErrorCode;
  /**
   * Takes one of the account's places for receiving it, and returns how to give the place back; throws when all are
   * taken.
   */
  reserve?: (accountId: AccountId) => () => void;
  /** Takes the file as it arrives, before the rest of the form may be known. It is closed after the answer. */
  keep: (file: AsyncIterable<Buffer>) => Promise<Kept>;
}

interface UploadCall<
  Who,
  P extends z.ZodType,
  H extends z.ZodType,
  F extends z.ZodObject,
  R extends z.ZodType,
  Kept extends Closing,
> {
  summary: string;
  params: P;
  headers?: H;
  /** What travels beside the file, before or after it. The `secret` of a sender may be among them. */
  fields: F;
  maxFields: number;
  /** Of the longest field, in UTF-8. */
  maxFieldBytes: number;
  file: FilePart<Kept>;
  reply: R;
  take(
    input: RequestContext &
      Who & {
        params: z.output<P>;
        headers: z.output<H>;
        fields: z.output<F>;
        file: Kept;
        /** As the sender calls it; '' if not at all. */
        fileName: string;
      },
  ): MaybePromise<z.input<R>>;
}
export type UploadRoute<Who = object> = UploadCall<
  Who,
  z.ZodType,
  z.ZodType,
  z.ZodObject,
  z.ZodType,
  Closing
>;

/** A caller is known before the form, so that he may be refused before any of it is read. */
interface EarlyCheck<P extends z.ZodType> {
  check?(input: RequestContext & AsCaller & { params: z.output<P> }): MaybePromise<void>;
}
type CallerUploadRoute = UploadRoute<AsCaller> & EarlyCheck<z.ZodType>;

/** These infer from its schemas what a route's handler is given. */
export const callerUpload = <
  P extends z.ZodType,
  H extends z.ZodType,
  F extends z.ZodObject,
  R extends z.ZodType,
  Kept extends Closing,
>(
  route: UploadCall<AsCaller, P, H, F, R, Kept> & EarlyCheck<P>,
): CallerUploadRoute => route;
export const senderUpload = <
  P extends z.ZodType,
  H extends z.ZodType,
  F extends z.ZodObject,
  R extends z.ZodType,
  Kept extends Closing,
>(
  route: UploadCall<AsSender, P, H, F, R, Kept>,
): UploadRoute<AsSender> => route;

/** By `POST /path`, below /api. */
export type CallerUploads = Record<`POST /${string}`, CallerUploadRoute>;
export type SenderUploads = Record<`POST /${string}`, UploadRoute<AsSender>>;
