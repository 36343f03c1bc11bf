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
    [
      ...readFileSync(file, 'utf8').matchAll(/\b(?:reason(?:: | = )|const [A-Z_]+ = )'([A-Z][^'\n]*\.)'/g),
    ].map(([, said]) => said ?? ''),
  );
  expect(written.length).toBeGreaterThan(20);
  for (const reason of written) expect(sayReason('zh_HK', reason), reason).toMatch(/\p{Script=Han}/u);
});

it('a reason with a status, a name or a cause in it is said in Chinese, and its cause as well', () => {
  const said = (reason: string) => sayReason('zh_HK', reason);
  expect(said('The connection ended before the answer: the message centre is silent.')).toBe(
    '收到回應前，連線已中斷：訊息中心沒有回應。',
  );
  expect(said('The provider answered 502. It may have taken the message.')).toBe(
    '供應商回應 502。供應商可能已接收訊息。',
  );
  expect(said('Mailbox is busy. It may have taken the message.')).toBe(
    'Mailbox is busy.供應商可能已接收訊息。',
  );
  const ended = 'The connection ended before the answer: the message centre is silent.';
  expect(sayReason('en_US', ended)).toBe(ended);
});

it('each sentence with values that the program writes as a reason or a cause has its words in Chinese', () => {
  const sources = globSync('{server/providers,agent}/**/*.ts').filter(
    (file) => !/\.test\.ts$|\/testing\/|sandbox-cards|stripe/.test(file),
  );
  const written = sources.flatMap((file) => {
    const source = readFileSync(file, 'utf8');
    const sessions = /\/session(?:\/[\w-]+)?\.ts$/.test(file)
      ? [...source.matchAll(/\b(?:end|destroy|fail)\(['`]([^'`]+)['`]/g)]
      : [];
    return [...source.matchAll(/\breason(?:: | = )`([A-Z][^`\n]*)`/g), ...sessions].map(([, said = '']) =>
      said.replace(/\$\{(?:[^{}]|\{[^}]*\})*\}/g, '550'),
    );
  });
  expect(written.length).toBeGreaterThan(30);
  for (const reason of written) expect(sayReason('zh_HK', reason), reason).toMatch(/\p{Script=Han}/u);
});
