import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { download } from '../../../ground/api/download.ts';
import { storedAccountId } from '../../../ground/api/session.ts';
import { formatBytes } from '../../../ground/i18n/format.ts';
import { t } from '../../../ground/i18n/translate.ts';
import { toastFailure } from '../../../ground/ui/feedback/toast.ts';
import type { ListedMessage } from '../search/list-query.ts';
import { previewQuery } from '../transfer/preview-query.ts';
import classes from './content.module.css';
import { type ContentPiece, contentPieces, mediaPart } from './content-kinds.ts';

type WithMedia = ListedMessage & { media: NonNullable<ListedMessage['media']> };

const hasMedia = (message: ListedMessage): message is WithMedia => message.media !== null;

const Named = ({
  part: { icon: Icon, kind, name },
  note,
}: {
  part: ContentPiece;
  note?: string | undefined;
}) => (
  <span className={classes.part}>
    <Icon size={20} aria-hidden="true" />
    <span>
      {name || kind}
      {(name || note) && (
        <span className={classes.quiet}>{[name && kind, note].filter(Boolean).join(' · ')}</span>
      )}
    </span>
  </span>
);

const Preview = ({ message: { accountId, media } }: { message: WithMedia }) => {
  const { data } = useQuery({
    ...previewQuery(accountId, media._id),
    enabled: accountId === storedAccountId(),
  });
  if (!data) return null;
  return <img className={classes.preview} src={data} alt={media.fileName || t('content.image')} />;
};

const noteOf = ({ bytes, state }: WithMedia['media']): string | undefined => {
  if (state === 'WAITING') return t('content.waiting');
  if (state === 'FAILED') return t('content.failed');
  if (state === 'REMOVED') return t('content.removed');
  return bytes === null ? undefined : formatBytes(bytes);
};

/** What came with an incoming message: a preview of an image, and the file itself as a download. */
const Incoming = ({ message }: { message: WithMedia }) => {
  const [loading, setLoading] = useState(false);
  const { accountId, media } = message;
  const part = mediaPart(media);
  // An admin sees the message, but not another account's files.
  const stored = media.state === 'STORED' && accountId === storedAccountId();
  const fetch = async () => {
    setLoading(true);
    try {
      const path = '/account/:accountId/media/:mediaId';
      await download(path, { params: { accountId, mediaId: media._id } }, media.fileName || media.kind);
    } catch (error) {
      toastFailure(error instanceof Error ? error.message : String(error));
    } finally {
      setLoading(false);
    }
  };
  return (
    <>
      {stored && media.mimeType.startsWith('image/') && <Preview message={message} />}
      {stored ? (
        <button
          type="button"
          className={classes.download}
          disabled={loading}
          aria-label={t('content.download', { name: part.name || part.kind })}
          onClick={() => void fetch()}
        >
          <Named part={part} note={noteOf(media)} />
        </button>
      ) : (
        <Named part={part} note={noteOf(media)} />
      )}
    </>
  );
};

interface ContentPartsProps {
  message: ListedMessage;
  /** The text that is answered, if it is known. */
  quoted?: string | undefined;
  /** Inside a link nothing else can be pressed. */
  plain?: boolean;
}

/** Everything of a message besides its text. */
export const ContentParts = ({ message, quoted, plain = false }: ContentPartsProps) => (
  <>
    {message.quotedMessage && (
      <blockquote className={classes.quoted}>{quoted || t('content.reply')}</blockquote>
    )}
    {hasMedia(message) && !plain && <Incoming message={message} />}
    {hasMedia(message) && plain && message.media.mimeType.startsWith('image/') && (
      <Preview message={message} />
    )}
    {contentPieces(plain || !hasMedia(message) ? message : { ...message, media: null }).map((part) => (
      <Named key={part.kind} part={part} note={message.media && plain ? noteOf(message.media) : undefined} />
    ))}
  </>
);
