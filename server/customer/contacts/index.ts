export { exportContacts } from './export-contacts.ts';
export { forgetContacts } from './forget-store.ts';
export { keepContacts } from './keep-contacts.ts';
export { noteMeetings } from './make-contacts.ts';
export { readNames } from './read-names.ts';
export { type ContactsDeps, contactFiles, contactRoutes, contactUploads } from './routes.ts';
