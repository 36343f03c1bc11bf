import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { DomainError } from '../domain-error.ts';
import type { UploadRoute } from '../route/index.ts';
import { inputFault } from './input-fault.ts';

/** The other fields and the boundaries of the parts. */
const FRAME_BYTES = 1024 * 1024;
const DRAIN_MS = 5_000;

type Fields = Record<string, unknown>;
type Form = Pick<UploadRoute, 'file' | 'fields' | 'maxFields' | 'maxFieldBytes'>;
type Kept = Awaited<ReturnType<UploadRoute['file']['keep']>>;

const readFields = (schema: z.ZodType<Fields>, given: Fields): Fields => {
  const { data, error } = schema.safeParse(given);
  if (data) return data;
  throw inputFault(error.issues[0] ?? { path: [], message: '' });
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

/** Reads the parts in whichever order they come; the file is kept as it arrives. */
const readParts = async (
  request: FastifyRequest,
  { file, fields, maxFields, maxFieldBytes }: Form,
  onFile: (fields: Fields) => Promise<void>,
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
    kept = await file.keep(part.file);
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
    throw isBrokenForm(error) ? new DomainError('E_INVALID_REQUEST', { reason: error.message }) : error;
  }
};

interface Receiving<T> {
  /** May refuse before anything is read. */
  check: () => Promise<void>;
  /** May refuse by the fields before the file, so that a refused sender need not send all of it. */
  early: (fields: Fields) => Promise<void>;
  /** May refuse once all is here, also a form that has no file. */
  late: (fields: Fields) => Promise<void>;
  take: (form: { fields: Fields; file: Kept; fileName: string }) => Promise<T>;
}

/** Receives a form with a file, passes both to `take`, and removes the file after it. */
export const receiveForm = async <T>(
  request: FastifyRequest,
  form: Form,
  { check, early, late, take }: Receiving<T>,
): Promise<T> => {
  let release: (() => void) | undefined;
  try {
    await check();
    if (!request.isMultipart()) throw new DomainError(form.file.missing);
    if (Number(request.headers['content-length'] ?? 0) > form.file.maxBytes + FRAME_BYTES)
      throw new DomainError('E_TOO_LARGE');
    release = form.file.reserve?.();
    const { fields, file, fileName } = await readParts(request, form, (given) =>
      early(readFields(form.fields.partial(), given)),
    );
    try {
      await late(fields);
      if (!file) throw new DomainError(form.file.missing);
      return await take({ fields, file, fileName });
    } finally {
      await file?.close();
    }
  } finally {
    release?.();
    drain(request);
  }
};
