import type { Readable } from 'node:stream';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { DomainError } from '../../ground/domain-error.ts';
import type { UploadRoute } from '../../ground/route/index.ts';
import { cutSlowUpload } from '../defence/end-slow-requests.ts';
import { inputFault } from './input-fault.ts';

/** The other fields and the boundaries of the parts. */
const FRAME_BYTES = 1024 * 1024;
const DRAIN_MS = 5_000;
/** Of a file whose sender is not known yet. */
const STRANGER_BYTES = 64 * 1024;
const STRANGER_MS = 5_000;

type Fields = Record<string, unknown>;
interface Form extends Pick<UploadRoute, 'file' | 'fields' | 'maxFields' | 'maxFieldBytes'> {
  /** Of those fields that come before the file. */
  fieldsSoFar: z.ZodType<Fields>;
}
type Kept = Awaited<ReturnType<UploadRoute['file']['keep']>>;

const readFields = (schema: z.ZodType<Fields>, given: Fields): Fields => {
  const { data, error } = schema.safeParse(given);
  if (data) return data;
  throw inputFault({ code: '', path: [], message: '', ...error.issues[0] });
};

/** The parser's own errors, such as for a form that ends early, have no code; those of the disk do. */
const isBrokenForm = (error: unknown): error is Error =>
  error instanceof Error && !(error instanceof DomainError) && !('code' in error);

/** A refused sender learns why only once all of it was read; one that goes on for too long is cut off. */
const drain = ({ raw }: FastifyRequest): void => {
  if (raw.readableEnded || raw.destroyed) return;
  const timer = setTimeout(() => raw.destroy(), DRAIN_MS);
  raw.once('close', () => clearTimeout(timer));
  raw.unpipe();
  raw.resume();
};

interface Receiving<T> {
  /** May refuse before anything is read. */
  check: () => Promise<void>;
  /** Finds out from the header and these fields whose file it is; refuses a wrong secret. */
  identify: (fields: Fields) => Promise<AccountId | undefined>;
  /** Takes one of the few places for senders who have not said who they are. */
  takeStranger: () => () => void;
  /** Once the whole form has arrived, refuses it if no field has named the sender. */
  admit: (fields: Fields) => Promise<void>;
  take: (form: { fields: Fields; file: Kept; fileName: string }) => Promise<T>;
}

/**
 * The place that a form takes while it is received. The specification's form has the file before the secret: until a
 * sender is known, the form is one of few, for a short time, and its file a small one.
 */
const openReception = (
  request: FastifyRequest,
  { reserve = () => () => {} }: Form['file'],
  { accountId, takeStranger }: { accountId: AccountId | undefined; takeStranger: () => () => void },
) => {
  const tooLong = new DomainError('E_SECRET_FIRST', { kilobytes: STRANGER_BYTES / 1024 });
  let known = accountId !== undefined;
  let release = accountId ? reserve(accountId) : takeStranger();
  let current: Readable | undefined;
  const onTimeout = () => (current ? current.destroy(tooLong) : request.raw.destroy());
  const timer = known ? undefined : setTimeout(onTimeout, STRANGER_MS);
  return {
    /** From here on the form counts against the places of its account. */
    know: (found: AccountId | undefined): void => {
      if (known || !found) return;
      known = true;
      clearTimeout(timer);
      release();
      release = () => {};
      release = reserve(found);
    },
    /** The bytes of a file, as many as its sender may send. */
    bytesOf: async function* (file: Readable): AsyncGenerator<Buffer> {
      current = file;
      let bytes = 0;
      for await (const chunk of file as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (!known && bytes > STRANGER_BYTES) throw tooLong;
        yield chunk;
      }
      current = undefined;
    },
    /** All of it is here: only a file that may be large goes on taking its place, until it was worked on. */
    received: (): void => {
      clearTimeout(timer);
      if (!known) release();
    },
    end: (): void => {
      clearTimeout(timer);
      release();
    },
  };
};

/** Reads the parts in whichever order they come; the file is kept as it arrives. */
const readParts = async (
  request: FastifyRequest,
  { file, fields, maxFields, maxFieldBytes }: Form,
  {
    onFile,
    bytesOf,
  }: { onFile: (fields: Fields) => Promise<void>; bytesOf: (file: Readable) => AsyncIterable<Buffer> },
) => {
  const given: Fields = {};
  let kept: Kept | undefined;
  let fileName = '';
  const takeFile = async (part: MultipartFile) => {
    if (part.fieldname !== file.name || kept)
      throw new DomainError('E_FILE_FIELD', { field: file.name, given: part.fieldname });
    await onFile(given);
    // Immediately: the parser itself would first read to the end.
    part.file.once('limit', () => part.file.destroy(new DomainError('E_TOO_LARGE')));
    kept = await file.keep(bytesOf(part.file));
    fileName = part.filename ?? '';
  };
  const limits = {
    fileSize: file.maxBytes,
    files: 1,
    fields: maxFields,
    parts: maxFields + 1,
    fieldSize: maxFieldBytes,
  };
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type === 'file') await takeFile(part);
      else if (part.valueTruncated) throw new DomainError('E_TOO_LARGE');
      else given[part.fieldname] = part.value;
    }
    return { fields: readFields(fields, given), file: kept, fileName };
  } catch (error) {
    await kept?.close();
    throw isBrokenForm(error)
      ? new DomainError('E_INVALID_REQUEST', { reason: { label: 'input.broken_form' } })
      : error;
  }
};

/** Receives a form with a file, passes both to `take`, and removes the file after it. */
export const receiveForm = async <T>(
  request: FastifyRequest,
  form: Form,
  { check, identify, takeStranger, admit, take }: Receiving<T>,
): Promise<T> => {
  let reception: ReturnType<typeof openReception> | undefined;
  const endPace = cutSlowUpload(request.raw);
  try {
    await check();
    if (!request.isMultipart()) throw new DomainError(form.file.missing);
    if (Number(request.headers['content-length'] ?? 0) > form.file.maxBytes + FRAME_BYTES)
      throw new DomainError('E_TOO_LARGE');
    reception = openReception(request, form.file, { accountId: await identify({}), takeStranger });
    const { know, bytesOf, received } = reception;
    const { fields, file, fileName } = await readParts(request, form, {
      onFile: async (given) => know(await identify(readFields(form.fieldsSoFar, given))),
      bytesOf,
    });
    received();
    endPace();
    try {
      await admit(fields);
      if (!file) throw new DomainError(form.file.missing);
      return await take({ fields, file, fileName });
    } finally {
      await file?.close();
    }
  } finally {
    reception?.end();
    endPace();
    drain(request);
  }
};
