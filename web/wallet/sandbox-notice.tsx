import { useQuery } from '@tanstack/react-query';
import { t } from '../i18n/translate.ts';
import { Notice } from '../ui/notice.tsx';
import { isSandboxDocument } from './card-document.ts';
import { cardsQuery } from './wallet-queries.ts';

/** Wherever money seems to move: by test cards, none does. */
export const SandboxNotice = () => {
  const { data } = useQuery(cardsQuery);
  // What is told at once pushes nothing away later.
  const sandbox = data ? data.provider !== 'stripe' : isSandboxDocument();
  return sandbox && <Notice icon="sandbox" title={t('sandbox.title')} text={t('sandbox.no_money')} />;
};
