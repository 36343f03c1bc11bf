import multipart, { type MultipartFile } from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { CHANNELS } from '../../contract/messages.ts';
import {
  CSV_MAX_BYTES,
  type UploadFields,
  upload,
  uploadFields,
  uploadParams,
} from '../../contract/uploads.ts';
import { spoolCsv } from '../csv/index.ts';
import { DomainError } from '../domain-error.ts';
import { openTurns } from '../limits/index.ts';
import type { SendingDeps } from '../sending/index.ts';
import { languageOf } from '../translations/index.ts';
import { receiveUpload, refusedCsv, viewUpload } from '../uploads/index.ts';
import { admitSender, type GuardDeps } from './guards.ts';

export interface CsvUploadDeps {
  messages: SendingDeps;
  guards: GuardDeps;
  /** Where a file lies while it is read. */
  folder: string;
}

type Spooled = Awaited<ReturnType<typeof spoolCsv>>;

const channelParams = z.strictObject({ channel: z.enum(CHANNELS) });
const idempotent = z.object({ 'idempotency-key': z.string().min(1).max(200).optional() });

/** Each takes a connection to the database for as long as it is worked on; single messages need some too. */
const AT_ONCE = 2;
/** Each takes up to a file's size of disk. */
const RECEIVING_AT_ONCE = 20;
/** The other fields and what frames the parts. */
const FRAME_BYTES = 1024 * 1024;
/** The longest field, in UTF-8. */
const FIELD_BYTES = 300_000;
const DRAIN_MS = 5_000;

const readFields = (fields: Record<string, unknown>): UploadFields => {
  const { data, error } = uploadFields.safeParse(fields);
  if (data) return data;
  const [issue] = error.issues;
  throw new DomainError('E_INVALID_REQUEST', {
    reason: [issue?.path.join('.'), issue?.message].filter(Boolean).join(': '),
  });
};

/** The parser's own errors, such as of a form that ends early, bear no code; those of the disk do. */
export const isBrokenForm = (error: unknown): error is Error =>
  error instanceof Error && !(error instanceof DomainError) && !('code' in error);

/** Reads the parts in whichever order they come; the file goes to disk as it arrives. */
const readParts = async (request: FastifyRequest, { guards, folder }: CsvUploadDeps) => {
  const fields: Record<string, unknown> = {};
  let csv: Spooled | undefined;
  let fileName = '';
  const takeFile = async (part: MultipartFile) => {
    if (part.fieldname !== 'csv' || csv)
      throw new DomainError('E_INVALID_REQUEST', { reason: part.fieldname });
    // Whoever is known to be nobody need not send all of it. The secret may also come after the file.
    const { secret } = readFields(fields);
    if (secret || request.headers.authorization) await admitSender(request, guards, secret ?? '');
    // At once: the parser itself would first read on to the end.
    part.file.once('limit', () => part.file.destroy(new DomainError('E_TOO_LARGE')));
    csv = await spoolCsv(part.file, folder);
    fileName = part.filename ?? '';
  };
  try {
    for await (const part of request.parts()) {
      if (part.type === 'file') await takeFile(part);
      else if (part.valueTruncated) throw new DomainError('E_TOO_LARGE');
      else fields[part.fieldname] = part.value;
    }
    return { fields: readFields(fields), csv, fileName };
  } catch (error) {
    await csv?.close();
    throw isBrokenForm(error) ? new DomainError('E_INVALID_REQUEST', { reason: error.message }) : error;
  }
};

/** A refused sender hears why only once all of it was read; one that goes on for too long is cut off. */
export const drain = ({ raw }: FastifyRequest): void => {
  if (raw.readableEnded || raw.destroyed) return;
  const timer = setTimeout(() => raw.destroy(), DRAIN_MS);
  raw.once('close', () => clearTimeout(timer));
  raw.unpipe();
  raw.resume();
};

/** What takes or gives a CSV file instead of JSON. */
export const registerCsvUpload = async (app: FastifyInstance, deps: CsvUploadDeps): Promise<void> => {
  const { messages, guards } = deps;
  const inTurn = openTurns(AT_ONCE);
  let receiving = 0;

  const receive = async (request: FastifyRequest, { send }: { send: boolean }) => {
    const { channel } = request.params as z.infer<typeof channelParams>;
    const { 'idempotency-key': idempotencyKey } = request.headers as z.infer<typeof idempotent>;
    const { fields, csv, fileName } = await readParts(request, deps);
    try {
      const sender = await admitSender(request, guards, fields.secret ?? '');
      request.sender = sender;
      if (!csv) throw new DomainError('E_CSV_MISSING');
      const asked = { sender, channel, csv, fileName, fields, idempotencyKey, send };
      const made = await inTurn(() => receiveUpload(messages, asked));
      return await viewUpload(messages, made, languageOf(request.headers['accept-language']));
    } finally {
      await csv?.close();
    }
  };

  await app.register(async (scope) => {
    await scope.register(multipart, {
      limits: { fileSize: CSV_MAX_BYTES, files: 1, fields: 10, parts: 11, fieldSize: FIELD_BYTES },
      throwFileSizeLimit: false,
    });
    // The body is only described by its schema: its parts are checked as they come.
    scope.setValidatorCompiler<z.ZodType>((given) =>
      given.httpPart === 'body' ? () => true : validatorCompiler(given),
    );
    const route = (path: string, summary: string, send: boolean) =>
      scope.post(
        path,
        {
          schema: {
            tags: ['messages'],
            security: [{ secret: [] }, { session: [] }],
            summary,
            consumes: ['multipart/form-data'],
            params: channelParams,
            headers: idempotent,
            body: uploadFields.extend({ csv: z.string().meta({ format: 'binary' }) }),
            response: { 200: upload },
          },
        },
        async (request, reply) => {
          reply.header('cache-control', 'no-store');
          if (!request.isMultipart()) throw new DomainError('E_CSV_MISSING');
          if (Number(request.headers['content-length'] ?? 0) > CSV_MAX_BYTES + FRAME_BYTES)
            throw new DomainError('E_TOO_LARGE');
          if (receiving >= RECEIVING_AT_ONCE) throw new DomainError('E_UNAVAILABLE');
          receiving += 1;
          try {
            return await receive(request, { send });
          } finally {
            receiving -= 1;
            drain(request);
          }
        },
      );
    route('/api/:channel/csvSend', 'Send the valid rows of a CSV file', true);
    route('/api/:channel/csvPreflight', 'Check a CSV file, free of charge; nothing is sent yet', false);
  });

  app.get(
    '/api/uploads/:uploadId/refused.csv',
    {
      schema: {
        tags: ['uploads'],
        security: [{ secret: [] }, { session: [] }],
        summary: 'The refused rows of a CSV file with row, column and reason, to be corrected',
        params: uploadParams,
      },
    },
    async (request, reply) => {
      const { uploadId } = request.params as z.infer<typeof uploadParams>;
      const sender = await admitSender(request, guards, '');
      const language = languageOf(request.headers['accept-language']);
      const csv = await refusedCsv(messages, { sender, uploadId, language });
      return reply
        .header('cache-control', 'no-store')
        .header('content-disposition', 'attachment; filename="refused.csv"')
        .type('text/csv; charset=utf-8')
        .send(csv);
    },
  );
};
