import type { Definition } from './definition.ts';
import { measureEmail } from './email-measure.ts';

/** Email over SMTP, compared with nodemailer. */
const definition: Definition = {
  title: 'Emails to a mail server, from handing over to its yes, beside nodemailer',
  run: async ({ quick }) => {
    const { ratios, signed, ...figures } = await measureEmail({ quick });
    const row = (what: string, posthorn: number, nodemailer: number | undefined) => ({
      what,
      Posthorn: Math.round(posthorn),
      nodemailer: nodemailer === undefined ? '' : String(Math.round(nodemailer)),
      ratio: nodemailer === undefined ? '' : (posthorn / nodemailer).toFixed(2),
    });
    return {
      rows: [
        row('messages a second', figures.posthornPerSecond, figures.nodemailerPerSecond),
        row('CPU a message (µs)', figures.posthornCpuMicros, figures.nodemailerCpuMicros),
        row('signed by RSA 2048, a second', signed.rsa.posthornPerSecond, signed.rsa.nodemailerPerSecond),
        row(
          'signed by Ed25519, a second',
          signed.ed25519.posthornPerSecond,
          signed.ed25519.nodemailerPerSecond,
        ),
      ],
      figures: { ...figures, leastRatio: Math.min(...ratios) },
      bars: [{ figure: 'ratio', min: 1.5 }],
    };
  },
};
export default definition;
