export { findMerchants } from '../merchant-store.ts';
