import type { CallAnswer } from '../../ground/http-client/index.ts';
import type { SendOutcome } from '../../traffic/lanes/index.ts';
import { type Brought, parseJson, readWhere } from './read-where.ts';
import type { ProviderTemplate } from './template.ts';

type AnswerTemplate = Pick<ProviderTemplate, 'name' | 'answer'>;

/** These say that the call itself was turned away: by its credentials, its pace or its address. */
const TURNED_AWAY = new Set([401, 403, 407, 425, 429]);
const LONGEST_REASON = 200;

const isSuccess = ({ answer: { success } }: AnswerTemplate, status: number, brought: Brought): boolean => {
  if (!success.statuses.includes(status)) return false;
  if (!success.where) return true;
  const found = readWhere(success.where, brought);
  if (found === undefined) return false;
  if (success.equals !== undefined && ![success.equals].flat().includes(found)) return false;
  return success.matches === undefined || new RegExp(success.matches, 'su').test(found);
};

/** The provider's code under a name of ours: by its table, else with the provider's name before it. */
export const nameCode = ({ name, answer: { errors } }: AnswerTemplate, code: string): string =>
  errors[code]?.code ??
  `${name.toUpperCase().replaceAll('-', '_')}_${code.replace(/[^A-Za-z0-9_.-]/g, '_').slice(0, 40)}`;

const readRefusal = (
  template: AnswerTemplate,
  { status, brought }: { status: number; brought: Brought },
): SendOutcome => {
  const { errorCode, errorText, errors, otherErrors } = template.answer;
  const told = readWhere(errorCode, brought);
  const code = told !== undefined && errors[told] ? told : errors[`HTTP_${status}`] ? `HTTP_${status}` : told;
  const known = code === undefined ? undefined : errors[code];
  const said = readWhere(errorText, brought)?.slice(0, LONGEST_REASON);
  const reason = known?.reason ?? said ?? `The provider answered ${status}.`;
  const unknown: SendOutcome = { outcome: 'unknown', reason: `${reason} It may have taken the message.` };
  if (code !== undefined && known) {
    const { code: ours, retryable } = known;
    return { outcome: 'refused', code: ours, reason, retryable };
  }
  if (status >= 500 || status === 408) return unknown;
  const turnedAway = TURNED_AWAY.has(status) || (status >= 300 && status < 400);
  // Neither the success nor an error that the template describes: the outcome is unknown.
  if (status < 300 && code === undefined) return unknown;
  if (!turnedAway && otherErrors === 'unknown') return unknown;
  return {
    outcome: 'refused',
    code: code === undefined ? `HTTP_${status}` : nameCode(template, code),
    reason,
    retryable: turnedAway || otherErrors === 'retryable',
  };
};

/** What an answer means; our own id stands for the provider's where the template names none. */
export const readAnswer = (template: AnswerTemplate, messageId: string, answer: CallAnswer): SendOutcome => {
  if (answer.kind === 'not-sent')
    return {
      outcome: 'refused',
      code: 'NOT_CONNECTED',
      reason: `The provider could not be reached: ${answer.reason}`,
      retryable: true,
    };
  if (answer.kind === 'lost')
    return { outcome: 'unknown', reason: `The provider did not answer: ${answer.reason}` };
  const { status, headers, body } = answer;
  const brought: Brought = { headers, text: body, json: parseJson(body) };
  if (isSuccess(template, status, brought))
    return {
      outcome: 'accepted',
      providerMessageId: readWhere(template.answer.id, brought) || messageId,
    };
  return readRefusal(template, { status, brought });
};
