/** Keywords that carriers' customers know, in our languages. Compared after `bare` has normalised the text. */
const OUT = [
  'STOP',
  'STOPALL',
  'UNSUBSCRIBE',
  'UNSUB',
  'CANCEL',
  'END',
  'QUIT',
  'OPTOUT',
  'REVOKE',
  'TD',
  'T',
  '停止',
  '停',
  '停止接收',
  '取消',
  '取消訂閱',
  '取消订阅',
  '退訂',
  '退订',
  '退閱',
  '退阅',
  '拒收',
  '拒絕接收',
  '拒绝接收',
];
const IN = [
  'START',
  'UNSTOP',
  'YES',
  'SUBSCRIBE',
  'OPTIN',
  'RESUME',
  '開始',
  '开始',
  '恢復',
  '恢复',
  '恢復接收',
  '恢复接收',
  '訂閱',
  '订阅',
  '重新訂閱',
  '重新订阅',
];

export type Keyword = 'out' | 'in';

const KEYWORDS = new Map<string, Keyword>([
  ...OUT.map((word) => [word, 'out'] as const),
  ...IN.map((word) => [word, 'in'] as const),
]);
/** Longer texts are never a keyword, whatever is between their letters. */
const MAX_LENGTH = 100;

/** Width, case, spaces, punctuation, symbols and invisible marks don't change the meaning. */
const bare = (text: string): string =>
  text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\p{P}\p{S}\p{Z}\p{C}\p{M}]+/gu, '');

/** Whether a message asks for no more messages, or for messages again; only if it says nothing else. */
export const readKeyword = (text: string): Keyword | undefined =>
  text.length > MAX_LENGTH ? undefined : KEYWORDS.get(bare(text));
