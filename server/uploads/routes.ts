import type { SenderRoutes } from '../route.ts';
import type { SendingDeps } from '../sending/index.ts';
import { text } from '../translations/index.ts';
import { cancelUpload, requireUpload, sendUpload } from './send-upload.ts';
import { findUpload } from './store.ts';
import { viewUpload } from './view.ts';

/** What becomes of a file after it was checked. */
export const uploadRoutes = (deps: SendingDeps): SenderRoutes => ({
  'GET /uploads/:uploadId': async ({ sender, params, language }) => {
    const upload = await findUpload(deps.db, { accountId: sender.accountId, ...params });
    return viewUpload(deps, requireUpload(upload, sender), language);
  },
  'POST /uploads/:uploadId/send': async ({ sender, params, body, language }) =>
    viewUpload(deps, await sendUpload(deps, { sender, ...params, when: body ?? {} }), language),
  'DELETE /uploads/:uploadId': async ({ sender, params, language }) => {
    await cancelUpload(deps, { sender, ...params });
    return { message: text(language, 'upload.cancelled') };
  },
});
