/** A refusal in the Graph API's format; statuses and titles are those of the page 'Error codes'. */
export class GraphRefusal extends Error {
  readonly status: number;
  readonly body: object;
  constructor(
    code: number,
    details: string,
    { status = STATUSES[code] ?? 400, title = TITLES[code] ?? 'Error' } = {},
  ) {
    super(details);
    this.status = status;
    this.body = {
      error: {
        message: `(#${code}) ${title}`,
        type: 'OAuthException',
        code,
        error_data: { messaging_product: 'whatsapp', details },
        fbtrace_id: 'Az8or2yhqkZfEZ-_4Qn_Bam',
      },
    };
  }
}

export const TITLES: Record<number, string> = {
  0: 'AuthException',
  100: 'Invalid parameter',
  190: 'Access token has expired',
  130429: 'Rate limit hit',
  131008: 'Required parameter is missing',
  131009: 'Parameter value is not valid',
  131026: 'Message Undeliverable',
  131047: 'Re-engagement message',
  131051: 'Unsupported message type',
  131056: '(Business Account, Consumer Account) pair rate limit hit',
  132000: 'Template Param Count Mismatch',
  132001: 'Template does not exist',
  132012: 'Template Parameter Format Mismatch',
};

const STATUSES: Record<number, number> = {
  0: 401,
  3: 500,
  10: 403,
  190: 401,
  200: 403,
  368: 403,
  2: 503,
  130497: 403,
  131000: 500,
  131005: 403,
  131016: 500,
  131031: 403,
  131045: 500,
  131057: 500,
  132001: 404,
  132069: 500,
  133004: 503,
};
