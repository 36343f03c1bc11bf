import type { MessageId } from '../../../contract/traffic/messages.ts';
import type { ProviderTemplate } from './template.ts';

/** In the address of a callback: our id, and the token that authenticates the caller. */
export const ID_FIELD = 'posthorn_id';
export const TOKEN_FIELD = 'token';

export const laneNameOf = ({ name }: Pick<ProviderTemplate, 'name'>): string => `http-${name}`;

/** The address that a provider calls to report on a message; none if the template does not describe such calls. */
export const callbackUrl = (
  template: ProviderTemplate,
  publicUrl: string,
  id: MessageId,
): string | undefined => {
  const { status, secrets } = template;
  if (!status) return undefined;
  const url = new URL(`${publicUrl}/api/providers/${laneNameOf(template)}/status`);
  url.searchParams.set(ID_FIELD, id);
  if (status.check.kind === 'token') url.searchParams.set(TOKEN_FIELD, secrets[status.check.secret] ?? '');
  return url.href;
};
