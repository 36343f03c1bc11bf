import type { Answer } from '../../ground/api/call.ts';
import { formatDateTime } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { styleNonce } from '../../ground/ui/style-nonce.ts';
import { linkedText } from './linked-text.ts';
import { mailDocument } from './mail-document.ts';
import classes from './mail-reader.module.css';

const PlainText = ({ text }: { text: string }) => {
  const parts = linkedText(text, window.location.origin);
  return (
    <p className={classes.text}>
      {parts.map(({ text: part, start, href }) =>
        href ? (
          <a key={start} href={href}>
            {part}
          </a>
        ) : (
          part
        ),
      )}
    </p>
  );
};

export const MailReader = ({ mail }: { mail: Answer<'GET /mailbox/:mailId'> }) => (
  <article className={classes.reader}>
    <h2>{mail.subject}</h2>
    <p className={classes.head}>
      {t('mailbox.to', { email: mail.to })}
      <br />
      <time dateTime={mail.createdAt}>{formatDateTime(mail.createdAt)}</time>
    </p>
    <iframe
      className={classes.frame}
      title={t('mailbox.html_version')}
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      srcDoc={mailDocument(mail.html, styleNonce())}
    />
    <h3>{t('mailbox.text_version')}</h3>
    <PlainText text={mail.text} />
  </article>
);
