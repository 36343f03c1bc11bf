import { redirect } from '@tanstack/react-router';

const cardHosts = () => document.querySelector<HTMLMetaElement>('meta[name="card-hosts"]')?.content;

/** Whether the document says that no card provider is set: it is known before the first answer. */
export const isSandboxDocument = (): boolean => cardHosts() === 'not-needed';

/**
 * The card provider's script is allowed only in the document of the payments page. A reader who comes from another
 * page still has that page's document, so the payments page is loaded as a document of its own.
 */
export const requireCardDocument = ({ preload, search }: { preload: boolean; search: object }) => {
  if (preload || cardHosts() !== 'refused') return;
  throw redirect({ to: '/dashboard/payments', search, reloadDocument: true, replace: true });
};
