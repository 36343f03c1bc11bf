import { DomainError } from '../../../ground/domain-error.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import type { CallerRoutes } from '../../../ground/route/index.ts';
import { phraseText } from '../../../ground/translations/index.ts';
import { previewTransfer, transferMessages } from './transfer.ts';

export const transferRoutes = ({ db }: { db: Db }): CallerRoutes => ({
  'GET /job/:jobId/transferPreview': async ({ params, query: { includeSelf }, language }) => {
    const includes = includeSelf !== undefined && includeSelf !== 'false';
    const judged = await previewTransfer(db, { id: params.jobId, includeSelf: includes });
    if (!judged) throw new DomainError('E_NOT_FOUND');
    return {
      phoneScores: judged.flatMap(({ phone, score, rule, weight, chosen, sentence }) =>
        phone
          ? [
              {
                ...phone,
                score,
                sendsNow: rule === null,
                weight,
                chosen,
                why: phraseText(language, sentence),
              },
            ]
          : [],
      ),
    };
  },
  'POST /job/:jobId/transfer': async ({ params: { jobId }, body: { phoneName }, changed }) => {
    const target = phoneName === undefined ? undefined : { phoneName };
    const { from, to, refused } = await transferMessages(db, { ids: [jobId], to: target });
    if (!to) throw new DomainError('E_NOT_TRANSFERRED', { reason: refused[0]?.reason ?? '' });
    changed({ before: { lane: from?.name ?? null }, after: { lane: to.name } });
    return { toDevice: { phoneName: to.phone?.name ?? to.name } };
  },
});
