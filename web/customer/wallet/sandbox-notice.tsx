import { useQuery } from '@tanstack/react-query';
import { t } from '../../ground/i18n/translate.ts';
import { Notice } from '../../ground/ui/feedback/notice.tsx';
import { isSandboxDocument } from './cards/card-document.ts';
import { cardsQuery } from './wallet-queries.ts';

/** Wherever money seems to move: by test cards, none does. */
export const SandboxNotice = () => {
  const { data } = useQuery(cardsQuery);
  // What is shown from the start doesn't move the page later.
  const sandbox = data ? data.provider !== 'stripe' : isSandboxDocument();
  return sandbox && <Notice icon="sandbox" title={t('sandbox.title')} text={t('sandbox.no_money')} />;
};
