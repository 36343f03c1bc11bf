export { giveSender } from './give-sender.ts';
export { anySender, noSender, type OwnSenders, openOwnSenders, type SenderOf } from './own-senders.ts';
export { openTxtResolver } from './resolve-txt.ts';
export { adminSenderRoutes, senderRoutes } from './routes.ts';
export type { SendersDeps } from './senders-deps.ts';
export { accountsGiven, listDedicatedPhones, listSendersOf, removeSendersOf } from './store.ts';
export { senderTasks } from './tasks.ts';
