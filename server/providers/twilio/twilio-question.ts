import type { CallAnswer } from '../../ground/http-client/index.ts';
import type { CarrierAnswer, Question } from '../../traffic/lanes/index.ts';

/** One of the Messages resource's list, as far as it is read. */
interface Listed {
  sid: string;
  body: string;
  status: string;
  errorCode: number | null;
  createdMs: number;
}

/** Their clock and ours may differ. */
const EARLIER_MS = 2 * 60_000;
/** Twilio had an answer for us long before. */
const LATER_MS = 10 * 60_000;
const FAILED = ['failed', 'undelivered', 'canceled'];

const unknown = (said: string): CarrierAnswer => ({ state: 'unknown', code: '', said });

const readList = (body: string): Listed[] | undefined => {
  try {
    const { messages } = JSON.parse(body) as { messages?: Record<string, unknown>[] };
    return messages?.map((one) => ({
      sid: String(one.sid),
      body: String(one.body),
      status: String(one.status),
      errorCode: typeof one.error_code === 'number' ? one.error_code : null,
      createdMs: Date.parse(String(one.date_created)),
    }));
  } catch {
    return undefined;
  }
};

/**
 * What Twilio's list of messages to this recipient says of one whose answer was lost: it is known by its text and time.
 * Two that are alike can't be told apart.
 */
export const answerOf = ({ text, at }: Question, answer: CallAnswer): CarrierAnswer => {
  if (answer.kind !== 'answered') return unknown(`Twilio could not be asked: ${answer.reason}`);
  const listed = answer.status === 200 ? readList(answer.body) : undefined;
  if (!listed) return unknown(`Twilio answered ${answer.status}.`);
  const [found, ...others] = listed.filter(
    ({ body, createdMs }) =>
      body === text && createdMs >= at.getTime() - EARLIER_MS && createdMs <= at.getTime() + LATER_MS,
  );
  if (!found) return { state: 'absent', code: '', said: 'Twilio has no such message.' };
  if (others.length > 0) return unknown(`Twilio has ${others.length + 1} such messages.`);
  const said = `Twilio has it as ${found.sid}: ${found.status}.`;
  return FAILED.includes(found.status)
    ? { state: 'failed', code: String(found.errorCode ?? found.status), said }
    : { state: 'taken', code: '', said };
};
