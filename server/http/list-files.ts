import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { accountParams } from '../../contract/accounts.ts';
import type { Language } from '../../contract/constants.ts';
import { contactImportFields } from '../../contract/contacts.ts';
import { type Imported, imported, optOutFilter, optOutImportFields } from '../../contract/opt-outs.ts';
import { CSV_MAX_BYTES } from '../../contract/uploads.ts';
import { exportContacts, importContacts } from '../contacts/index.ts';
import { type ImportTally, type SpooledCsv, spoolCsv } from '../csv/index.ts';
import { DomainError } from '../domain-error.ts';
import { openTurns } from '../limits/index.ts';
import { exportOptOuts, importOptOuts, type OptOutsDeps } from '../opt-outs/index.ts';
import { requireOwnAccount } from '../own-account.ts';
import { languageOf, text } from '../translations/index.ts';
import { drain, isBrokenForm } from './csv-upload.ts';
import { admit, type SessionGuardDeps } from './guards.ts';

export interface ListFilesDeps {
  optOuts: OptOutsDeps;
  guards: SessionGuardDeps;
  /** Where a file lies while it is read. */
  folder: string;
}

/** Each takes some of the database's time for as long as it is worked on. */
const AT_ONCE = 2;
const FIELD_BYTES = 1_000;

interface Form<F> {
  csv: SpooledCsv;
  fields: F;
}

/** The parts in whichever order they come; the file goes to disk as it arrives. */
const readForm = async <F>(
  request: FastifyRequest,
  schema: z.ZodType<F>,
  folder: string,
): Promise<Form<F>> => {
  if (!request.isMultipart()) throw new DomainError('E_CSV_MISSING');
  const given: Record<string, unknown> = {};
  let csv: SpooledCsv | undefined;
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') given[part.fieldname] = part.value;
      else if (part.fieldname === 'csv' && !csv) {
        part.file.once('limit', () => part.file.destroy(new DomainError('E_TOO_LARGE')));
        csv = await spoolCsv(part.file, folder);
      } else throw new DomainError('E_INVALID_REQUEST', { reason: part.fieldname });
    }
    if (!csv) throw new DomainError('E_CSV_MISSING');
    const { data, error } = schema.safeParse(given);
    if (error) throw new DomainError('E_INVALID_REQUEST', { reason: error.issues[0]?.message ?? '' });
    return { csv, fields: data };
  } catch (error) {
    await csv?.close();
    throw isBrokenForm(error) ? new DomainError('E_INVALID_REQUEST', { reason: error.message }) : error;
  }
};

const viewImported = (tally: ImportTally, language: Language): Imported => ({
  ...tally,
  message: text(language, 'import.done', { added: tally.added, known: tally.known, refused: tally.refused }),
  refusals: tally.refusals.map(({ row, column, code, params }) => ({
    row,
    column,
    code,
    message: text(language, `error.${code}`, params),
  })),
});

/** The lists of an account as files, in and out. Each only for the account's own session. */
export const registerListFiles = async (app: FastifyInstance, deps: ListFilesDeps): Promise<void> => {
  const { optOuts, guards, folder } = deps;
  const inTurn = openTurns(AT_ONCE);
  const shared = { tags: ['account'], security: [{ session: [] }], params: accountParams };

  const own = async (request: FastifyRequest): Promise<void> => {
    const caller = await admit('customer', request, guards);
    if (!caller) throw new DomainError('E_LOGIN_REQUIRED');
    request.caller = caller;
  };
  const accountOf = (request: FastifyRequest) => {
    const { accountId } = request.params as z.infer<typeof accountParams>;
    if (!request.caller) throw new DomainError('E_LOGIN_REQUIRED');
    requireOwnAccount(request.caller, accountId);
    return { accountId, language: languageOf(request.headers['accept-language']) };
  };

  await app.register(async (scope) => {
    await scope.register(multipart, {
      limits: { fileSize: CSV_MAX_BYTES, files: 1, fields: 5, parts: 6, fieldSize: FIELD_BYTES },
      throwFileSizeLimit: false,
    });
    // The body is only described by its schema: its parts are checked as they come.
    scope.setValidatorCompiler<z.ZodType>((given) =>
      given.httpPart === 'body' ? () => true : validatorCompiler(given),
    );
    const route = <F extends z.ZodRawShape>(
      path: string,
      summary: string,
      fields: z.ZodObject<F>,
      take: (
        form: Form<z.output<z.ZodObject<F>>> & Pick<ReturnType<typeof accountOf>, 'accountId'>,
      ) => Promise<ImportTally>,
    ) =>
      scope.post(
        `/api/account/:accountId/${path}`,
        {
          schema: {
            ...shared,
            summary,
            consumes: ['multipart/form-data'],
            body: z.object({ ...fields.shape, csv: z.string().meta({ format: 'binary' }) }),
            response: { 200: imported },
          },
          onRequest: own,
        },
        async (request, reply) => {
          reply.header('cache-control', 'no-store');
          try {
            const { accountId, language } = accountOf(request);
            const form = await readForm(request, fields, folder);
            try {
              const tally = await inTurn(() => take({ ...form, accountId }));
              return viewImported(tally, language);
            } finally {
              await form.csv.close();
            }
          } finally {
            drain(request);
          }
        },
      );
    route('optOuts/import', 'Opt out everybody in a CSV file', optOutImportFields, (form) =>
      importOptOuts(optOuts, form),
    );
    route('contacts/import', 'Enter the contacts of a CSV file', contactImportFields, (form) =>
      importContacts(optOuts, form),
    );
  });

  const keyword = z.string().max(320).optional();
  app.get(
    '/api/account/:accountId/optOuts.csv',
    {
      schema: {
        ...shared,
        summary: 'Who no longer wants messages, as a CSV file',
        querystring: optOutFilter,
      },
      onRequest: own,
    },
    async (request, reply) => {
      const filter = request.query as z.infer<typeof optOutFilter>;
      const csv = exportOptOuts(optOuts, { ...filter, ...accountOf(request) });
      return reply
        .header('cache-control', 'no-store')
        .header('content-disposition', 'attachment; filename="opt-outs.csv"')
        .type('text/csv; charset=utf-8')
        .send(csv);
    },
  );
  app.get(
    '/api/account/:accountId/contacts.csv',
    {
      schema: { ...shared, summary: 'Contacts as a CSV file', querystring: z.strictObject({ keyword }) },
      onRequest: own,
    },
    async (request, reply) => {
      const filter = request.query as { keyword?: string };
      const csv = exportContacts(optOuts, { ...filter, ...accountOf(request) });
      return reply
        .header('cache-control', 'no-store')
        .header('content-disposition', 'attachment; filename="contacts.csv"')
        .type('text/csv; charset=utf-8')
        .send(csv);
    },
  );
};
