export { type AgentSim, addPhone, changePhone, linkPhone, storeReceivingLane } from './change-phone.ts';
export { countUsage } from './count-usage.ts';
export { openPhoneCarrier } from './phone-carriers.ts';
export type { DrivenPhone, PhoneDriver } from './phone-driver.ts';
export type { PhonesDeps } from './phones-deps.ts';
export { noticesOf, readPhones, smsHealth } from './read-phones.ts';
export { adminPhoneRoutes } from './routes.ts';
export { runPhones, takeReports, watchHeartbeats } from './run-phones.ts';
export {
  findPhoneOfSim,
  listPhonesOfAgent,
  readPhoneAgent,
  readPhoneHosts,
  readPhoneNames,
} from './store.ts';
export { phoneTasks } from './tasks.ts';
