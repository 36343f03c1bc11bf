export { forgetContacts } from './erasure-store.ts';
export { exportContacts } from './export-contacts.ts';
export { keepContacts } from './keep-contacts.ts';
export { recordContacts } from './make-contacts.ts';
export { readNames } from './read-names.ts';
export { type ContactsDeps, contactFiles, contactRoutes, contactUploads } from './routes.ts';
