export { addPhone, changePhone, type PhonesDeps } from './change-phone.ts';
export { countUsage } from './count-usage.ts';
export { openPhoneCarrier } from './phone-carriers.ts';
export type { DrivenPhone, PhoneDriver, PhoneReport } from './phone-driver.ts';
export { adminPhoneRoutes } from './routes.ts';
export { runPhones, takeReports, watchHeartbeats } from './run-phones.ts';
export { phoneTasks } from './tasks.ts';
export { phoneTransferRoutes } from './transfer-routes.ts';
