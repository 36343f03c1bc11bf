/** Brand names as card holders know them. This file must not import anything, to keep the browser's first load small. */
const BRANDS: Record<string, string> = {
  amex: 'American Express',
  diners: 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
};

/** An unknown brand keeps the card provider's name for it. */
export const brandName = (brand: string): string => BRANDS[brand.toLowerCase()] ?? brand;
