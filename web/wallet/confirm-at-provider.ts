import { loadCardProvider } from './card-provider.ts';

/** Lets the card holder answer the bank in the provider's own dialog; the answer is what went wrong, if anything did. */
export const confirmAtProvider = async (
  publishableKey: string,
  clientSecret: string,
): Promise<string | undefined> => {
  const provider = await loadCardProvider(publishableKey);
  const { error } = await provider.handleNextAction({ clientSecret });
  return error?.message;
};
