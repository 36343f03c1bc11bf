import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { carrierSuite, type Heard, listen, newOutgoing } from '../../../test/carrier-suite.ts';
import { openSmtpSink, type SmtpSink, type SmtpSinkOptions } from '../../../test/emulators/smtp-sink.ts';
import { FROM, KEY, mailsTo, recipientOf, relayTo, takenOf } from '../../../test/mail-relay.ts';
import type { Carrier } from '../../delivery/carrier.ts';
import type { RelayOptions } from './relay-options.ts';
import type { SmtpRelaySettings } from './smtp-relay.ts';

const suite = async (options: SmtpSinkOptions = {}) => {
  const sink = await openSmtpSink(options);
  return {
    carrier: relayTo(sink, { verify: false }),
    recipient: recipientOf,
    sender: undefined,
    taken: (message: Parameters<typeof takenOf>[1]) => takenOf(sink, message),
    refuses: () => recipientOf('refused'),
    refusesForNow: () => recipientOf('later'),
    staysSilent: () => recipientOf('silent'),
    cut: sink.drop,
    texts: [
      '.',
      '..',
      'a\n.\nb\n..\n.',
      'From here\nFrom there ',
      '=_ =20 =\n=',
      'tab\t\n  \n ',
      'a\r\nb\rc\nd',
    ],
    close: async () => {
      expect(sink.violations).toEqual([]);
      await sink.close();
    },
  };
};
carrierSuite('a mail server', () => suite(), ['report', 'reportsAgain', 'write']);
carrierSuite('a mail server without pipelining', () => suite({ pipelining: false }), [
  'report',
  'reportsAgain',
  'write',
]);
