/** The props of each provider's form. The form hands over what proves that the provider has checked the card. */
export interface CardFormProps {
  clientSecret: string;
  publishableKey: string;
  /** Keeps the card; throws the server's reason when it refuses. */
  onConfirmed: (auth: string) => Promise<void>;
}
