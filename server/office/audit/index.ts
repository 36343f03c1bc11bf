export { listVisits } from './list-visits.ts';
export { type AuditedCall, type AuditLog, openAudit } from './open-audit.ts';
export { adminAuditRoutes, auditFiles, visitRoutes } from './routes.ts';
export { verifyChain } from './verify-chain.ts';
