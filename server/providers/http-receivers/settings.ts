import { z } from 'zod';
import { section } from '../../ground/settings/index.ts';

export const receiversSection = section({
  shape: {
    /** Whether customers' webhooks may be in this machine's own network. */
    WEBHOOKS_ALLOW_PRIVATE: z
      .enum(['true', 'false'], 'must be true or false')
      .default('false')
      .transform((text) => text === 'true'),
  },
  secrets: [],
});
