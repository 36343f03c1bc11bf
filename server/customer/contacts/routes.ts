import { z } from 'zod';
import { accountParams } from '../../../contract/customer/accounts.ts';
import { contactImportFields } from '../../../contract/customer/contacts.ts';
import type { ListUpload } from '../../ground/csv/index.ts';
import { DomainError } from '../../ground/domain-error.ts';
import type { Db } from '../../ground/postgres/index.ts';
import {
  type CallerFiles,
  type CallerRoutes,
  type CallerUploads,
  callerFile,
  requireOwnAccount,
} from '../../ground/route/index.ts';
import { text } from '../../ground/translations/index.ts';
import { channelsOf, cleanName, cleanNotes, isTooShort, keywordOf } from './contact-text.ts';
import { enterContact } from './enter-contact.ts';
import { exportContacts } from './export-contacts.ts';
import { importContacts } from './import-contacts.ts';
import { deleteContact, listContacts, suggestContacts, updateContact } from './store.ts';
import { viewContacts } from './view-contacts.ts';

export interface ContactsDeps {
  db: Db;
}

export const contactRoutes = ({ db }: ContactsDeps): CallerRoutes => ({
  'GET /account/:accountId/contacts': async ({ caller, params: { accountId }, query }) => {
    requireOwnAccount(caller, accountId);
    const keyword = keywordOf(query.keyword);
    const found = keyword && !isTooShort(keyword) ? await suggestContacts(db, { accountId, keyword }) : [];
    return {
      contacts: found.map(({ recipient, channel, name }) => ({
        phone: recipient,
        channel: channel ?? channelsOf(recipient)[0] ?? 'sms',
        name,
      })),
    };
  },
  'GET /account/:accountId/contacts/page': async ({ caller, params: { accountId }, query }) => {
    requireOwnAccount(caller, accountId);
    const { before, limit } = query;
    const keyword = keywordOf(query.keyword);
    const rows = await listContacts(db, { accountId, keyword, before, limit: limit + 1 });
    const page = rows.slice(0, limit);
    return {
      contacts: await viewContacts(db, accountId, page),
      next: rows.length > limit ? (page.at(-1)?.place ?? null) : null,
    };
  },
  'POST /account/:accountId/contacts': async ({ caller, params: { accountId }, body, language }) => {
    requireOwnAccount(caller, accountId);
    const row = await enterContact({ db }, { ...body, accountId });
    const [contact] = await viewContacts(db, accountId, [row]);
    if (!contact) throw new DomainError('E_NOT_FOUND');
    return { message: text(language, 'contact.saved'), contact };
  },
  'PUT /account/:accountId/contacts/:contactId': async ({ caller, params, body, language }) => {
    requireOwnAccount(caller, params.accountId);
    const written = { name: cleanName(body.name), notes: cleanNotes(body.notes) };
    const row = await updateContact(db, { ...params, ...written });
    const [contact] = row ? await viewContacts(db, params.accountId, [row]) : [];
    if (!contact) throw new DomainError('E_NOT_FOUND');
    return { message: text(language, 'contact.saved'), contact };
  },
  'DELETE /account/:accountId/contacts/:contactId': async ({ caller, params, language }) => {
    requireOwnAccount(caller, params.accountId);
    if (!(await deleteContact(db, params))) throw new DomainError('E_NOT_FOUND');
    return { message: text(language, 'contact.removed') };
  },
});

export const contactFiles = ({ db }: ContactsDeps): CallerFiles => ({
  'GET /account/:accountId/contacts.csv': callerFile({
    summary: 'Contacts as a CSV file',
    params: accountParams,
    query: z.strictObject({ keyword: z.string().max(320).optional() }),
    answer: ({ caller, params: { accountId }, query, language }) => {
      requireOwnAccount(caller, accountId);
      return {
        contentType: 'text/csv; charset=utf-8',
        fileName: 'contacts.csv',
        body: exportContacts({ db }, { ...query, accountId, language }),
      };
    },
  }),
});

export const contactUploads = ({ db }: ContactsDeps, upload: ListUpload): CallerUploads => ({
  'POST /account/:accountId/contacts/import': upload({
    summary: 'Enter the contacts of a CSV file',
    fields: contactImportFields,
    importFile: (file) => importContacts({ db }, file),
  }),
});
