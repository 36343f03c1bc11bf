import { isFine } from '../answers.ts';
import type { RelayOptions } from '../relay-options.ts';
import {
  type Features,
  featuresOf,
  type GreetingAsked,
  hello,
  NO_FEATURES,
  nextGreeting,
} from './greeting.ts';
import type { SmtpReply } from './reply-reader.ts';

/** What the session does for its introduction. */
interface Line {
  ask: (text: string, asked: GreetingAsked) => void;
  /** Our own address, for EHLO. */
  address: () => string;
  secure: (secured: () => void) => boolean;
  ready: () => void;
  fail: (reason: string) => void;
}

/** The banner, EHLO, TLS and login of one connection; `nextGreeting` says what follows each answer. */
export const openIntroduction = (options: RelayOptions, line: Line) => {
  const known = { features: NO_FEATURES, secured: options.secure };
  const name = (): string => options.name ?? line.address();

  const carryOut = (step: ReturnType<typeof nextGreeting>) => {
    if (step.next === 'ask') return line.ask(step.text, step.asked);
    if (step.next === 'ready') return line.ready();
    if (step.next === 'fail') return line.fail(step.reason);
    known.secured = true;
    if (!line.secure(() => carryOut(hello(name())))) line.fail('the mail server spoke out of turn');
  };
  return {
    /** What the server offers, as far as it has said so. */
    features: (): Features => known.features,
    answered: (asked: GreetingAsked, reply: SmtpReply): void => {
      if (asked === 'EHLO' && isFine(reply)) known.features = featuresOf(reply);
      carryOut(nextGreeting(asked, reply, { ...known, name: name(), options }));
    },
  };
};
