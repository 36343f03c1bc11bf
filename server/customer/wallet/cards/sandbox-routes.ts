import type { ErrorCode } from '../../../../contract/ground/errors.ts';
import { DomainError } from '../../../ground/domain-error.ts';
import type { CallerRoutes } from '../../../ground/route/index.ts';
import { text } from '../../../ground/translations/index.ts';
import type { CardFormFault, SandboxForm } from '../card-processor.ts';
import { readOwnPayment } from '../payments/refresh-payment.ts';
import { settlePayment } from '../payments/settle-payment.ts';
import type { WalletDeps } from '../wallet-deps.ts';

const CODES: Record<CardFormFault, ErrorCode> = {
  secret: 'E_CARD_NOT_CONFIRMED',
  number: 'E_CARD_NUMBER_INVALID',
  'not-a-test-number': 'E_CARD_NOT_A_TEST_NUMBER',
  expiry: 'E_CARD_EXPIRY_INVALID',
  cvc: 'E_CARD_CVC_INVALID',
};

const formRoutes = (deps: WalletDeps, form: SandboxForm): CallerRoutes => ({
  'POST /sandbox/cards/confirm': ({ body }) => {
    const result = form.confirm({
      clientSecret: body.client_secret,
      number: body.number,
      expMonth: body.exp_month,
      expYear: body.exp_year,
      cvc: body.cvc,
    });
    if (result.outcome === 'refused') throw new DomainError(CODES[result.fault]);
    return { auth: result.auth };
  },
  'POST /sandbox/payments/authenticate': async ({ caller, body, language }) => {
    const decided = form.authenticate({ clientSecret: body.client_secret, approve: body.approve });
    if (!decided) throw new DomainError('E_NOT_FOUND');
    await readOwnPayment(deps, caller.accountId, decided.paymentId);
    await settlePayment(deps, decided.paymentId, decided.charge);
    return { message: text(language, `wallet.authenticated.${body.approve ? 'approved' : 'refused'}`) };
  },
});

/** What a real provider does on its own site; there are no such routes while one is set. */
export const sandboxRoutes = (deps: WalletDeps): CallerRoutes =>
  deps.processor.sandboxForm ? formRoutes(deps, deps.processor.sandboxForm) : {};
