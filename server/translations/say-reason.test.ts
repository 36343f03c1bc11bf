import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sayReason } from './say-reason.ts';

it('a reason of our own is said in the reader’s language, and a carrier’s stays as it is', () => {
  expect(sayReason('zh_HK', 'The carrier gave no answer.')).toBe('營辦商沒有回應。');
  expect(sayReason('en_US', 'The carrier gave no answer.')).toBe('The carrier gave no answer.');
  expect(sayReason('zh_HK', 'Message throttled by SMSC')).toBe('Message throttled by SMSC');
});

it('each sentence that the program writes as a reason has its words in Chinese', () => {
  const sources = globSync('{server,agent}/**/*.ts').filter(
    (file) => !/\.test\.ts$|\/testing\/|sandbox-cards|stripe/.test(file),
  );
  const written = sources.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\breason(?:: | = )'([A-Z][^'\n]*\.)'/g)].map(
      ([, said]) => said ?? '',
    ),
  );
  expect(written.length).toBeGreaterThan(20);
  for (const reason of written) expect(sayReason('zh_HK', reason), reason).toMatch(/\p{Script=Han}/u);
});
