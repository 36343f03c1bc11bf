import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { bodyOf, numberOf } from './load-texts.ts';

const BOUNDARY = 'posthorn-bench-boundary';

/** A file of this many rows, made before the clock runs. */
export const csvOf = (prefix: string, mark: string, rows: number): Buffer => {
  const lines = ['phone,message'];
  for (let at = 0; at < rows; at += 1) lines.push(`+${numberOf(prefix, at)},"${bodyOf(`${mark} ${at}`)}"`);
  return Buffer.from(`${lines.join('\n')}\n`);
};

interface Uploaded {
  accepted: number;
  refused: number;
}

interface File {
  secret: string;
  csv: Buffer;
  /** When its messages are due; now unless given. */
  sendAt?: string | undefined;
  idempotencyKey?: string | undefined;
}

/** As an API client sends a file; resolves when the server has answered. */
export const uploadCsv = async (
  url: string,
  { secret, csv, sendAt = '', idempotencyKey }: File,
): Promise<Uploaded> => {
  const fields = Object.entries({ secret, sendAt }).filter(([, value]) => value !== '');
  const parts = fields.map(
    ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = `${parts.join('')}--${BOUNDARY}\r\nContent-Disposition: form-data; name="csv"; filename="bench.csv"\r\nContent-Type: text/csv\r\n\r\n`;
  const tail = `\r\n--${BOUNDARY}--\r\n`;
  const { statusCode, body } = await new Promise<{ statusCode: number | undefined; body: string }>(
    (resolve, reject) => {
      const call = request(`${url}/api/sms/csvSend`, {
        method: 'POST',
        headers: {
          'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
          'content-length': head.length + csv.length + tail.length,
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        },
      });
      call.once('error', reject);
      call.once('response', (answer) =>
        text(answer).then((whole) => resolve({ statusCode: answer.statusCode, body: whole }), reject),
      );
      call.write(head);
      call.write(csv);
      call.end(tail);
    },
  );
  if (statusCode !== 200) throw new Error(`the upload was answered with ${statusCode}: ${body}`);
  return JSON.parse(body) as Uploaded;
};
