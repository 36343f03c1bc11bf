import type { CarrierAnswer, Question } from '../lanes/index.ts';
import { answerQuestion, takeQuestions } from '../outbox/index.ts';
import type { DeliveryDeps } from './delivery-deps.ts';

type Ask = (question: Question) => Promise<CarrierAnswer>;

/** Asks the carriers of these lanes what admins want to know of messages in doubt, and keeps what they say. */
export const askCarriers = async (
  deps: DeliveryDeps,
  laneIds: number[],
  askOf: (laneId: number) => Ask | undefined,
): Promise<void> => {
  if (laneIds.length === 0) return;
  const questions = await takeQuestions(deps.db, laneIds);
  await Promise.all(
    questions.map(async (question) => {
      const answer = await askOf(question.laneId)?.(question);
      // A lane that was given back meanwhile leaves it to the worker that has it then.
      if (answer) await answerQuestion(deps, question, answer);
    }),
  );
};
