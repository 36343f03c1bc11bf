/** As card holders know them. This file must not import anything, so that the browser's first load stays small. */
export const BRANDS: Record<string, string> = {
  amex: 'American Express',
  diners: 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
};

/** A brand that is not known is called what the card provider calls it. */
export const brandName = (brand: string): string => BRANDS[brand.toLowerCase()] ?? brand;
