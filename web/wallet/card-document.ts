import { redirect } from '@tanstack/react-router';

const cardHosts = () => document.querySelector<HTMLMetaElement>('meta[name="card-hosts"]')?.content;

/**
 * The card provider's script is allowed only in the document of the payments page. Whoever comes from another
 * page carries that page's document along, so this one is loaded whole.
 */
export const requireCardDocument = ({ preload, search }: { preload: boolean; search: object }) => {
  if (preload || cardHosts() !== 'refused') return;
  throw redirect({ to: '/dashboard/payments', search, reloadDocument: true, replace: true });
};
