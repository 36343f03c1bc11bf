/**
 * A mail's HTML, ready for a sandboxed frame. The frame inherits the page's content security policy, which
 * refuses style attributes; so they move into a style element that carries the page's nonce. Links open beside
 * the mailbox, since nothing can be shown inside the sandbox.
 */
export const mailDocument = (html: string, nonce: string): string => {
  const rules: string[] = [];
  const body = html
    .replace(/<(\/?)(?:script|base|meta)\b[^>]*>/gi, '')
    .replace(/<style\b/gi, `<style nonce="${nonce}"`)
    .replace(
      /<([a-z][\w-]*)\b([^>]*?)\sstyle=(?:"([^"]*)"|'([^']*)')/gi,
      (_, tag, before, double, single) => {
        const style = decodeQuotes(double ?? single ?? '');
        rules.push(`[data-s="${rules.length}"]{${style}}`);
        return `<${tag}${before} data-s="${rules.length - 1}"`;
      },
    );
  return `<!doctype html><base target="_blank"><style nonce="${nonce}">${rules.join('\n')}</style>${body}`;
};

const decodeQuotes = (text: string) =>
  text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
