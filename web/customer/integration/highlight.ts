type TokenKind = 'comment' | 'string' | 'number' | 'keyword';

interface Token {
  /** Undefined for ordinary text. */
  kind?: TokenKind;
  text: string;
}

const HASH_COMMENTS = new Set(['cURL', 'Python']);

const KEYWORDS =
  'async|await|bool|boolean|break|byte|case|catch|class|const|continue|def|defer|do|done|double|echo|else|elif|except|exit|export|extends|false|fi|final|finally|float|for|foreach|from|func|function|if|import|in|int|interface|let|long|map|namespace|new|nil|none|not|null|package|print|private|public|range|return|set|static|string|struct|switch|then|throw|throws|true|try|type|using|var|void|while|with|None|True|False|String';

const patternOf = (language: string): RegExp =>
  new RegExp(
    [
      `(?<string>"(?:[^"\\\\\\n]|\\\\.)*"|'(?:[^'\\\\\\n]|\\\\.)*'|\`(?:[^\`\\\\]|\\\\.)*\`)`,
      HASH_COMMENTS.has(language) ? '(?<comment>(?<=^|\\s)#.*)' : '(?<comment>//.*|/\\*[^]*?\\*/)',
      `(?<keyword>(?<![\\w$.-])(?:${KEYWORDS})(?![\\w$-]))`,
      '(?<number>(?<![\\w$.])\\d[\\d_.]*(?![\\w]))',
    ].join('|'),
    'gm',
  );

/** Distinguishes comments, strings, numbers and keywords, which is enough for a short sample. */
export const highlight = (language: string, code: string): Token[] => {
  const tokens: Token[] = [];
  let end = 0;
  for (const match of code.matchAll(patternOf(language))) {
    const [kind] = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined) ?? [];
    if (match.index > end) tokens.push({ text: code.slice(end, match.index) });
    tokens.push({ kind: kind as TokenKind, text: match[0] });
    end = match.index + match[0].length;
  }
  if (end < code.length) tokens.push({ text: code.slice(end) });
  return tokens;
};
