import { DomainError } from '../../../ground/domain-error.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import { type CallerRoutes, requireOwnAccount } from '../../../ground/route/index.ts';
import { readMediaOf } from '../../media/index.ts';
import { findWhatsapp } from './whatsapp-store.ts';

export const whatsappRoutes = ({ db }: { db: Db }): CallerRoutes => ({
  'GET /account/:accountId/messages/:messageId/whatsapp': async ({ caller, params }) => {
    requireOwnAccount(caller, params.accountId);
    const found = await findWhatsapp(db, params);
    if (!found) throw new DomainError('E_NOT_FOUND');
    const content = found.content ?? {};
    const media = await readMediaOf(db, params);
    return {
      _id: found.id,
      waMessageId: found.waMessageId,
      WABA: found.waba,
      session: content.sessionSince !== undefined,
      sessionSince: content.sessionSince ?? null,
      readAt: found.readAt?.toISOString() ?? null,
      templateName: content.template?.name ?? null,
      image: content.image ?? null,
      file: content.file ?? null,
      fileName: content.fileName ?? null,
      video: content.video ?? null,
      quotedMessage: content.quotedMessage ?? null,
      content: { ...content },
      media: media.map(({ id, bytes, ...rest }) => ({
        _id: id,
        ...rest,
        bytes: bytes === null ? null : Number(bytes),
      })),
    };
  },
});
