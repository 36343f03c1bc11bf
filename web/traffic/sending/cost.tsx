import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Body } from '../../../contract/calls.ts';
import type { Channel } from '../../../contract/ground/channels.ts';
import { segmentation } from '../../../contract/traffic/segments.ts';
import { formatExactAmount } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import classes from './cost.module.css';
import { type Quote, quoteQuery } from './sending-queries.ts';

const DEBOUNCE_MS = 300;
/** Stands for a message that is not written yet, so that its price can be quoted. */
const ANY_MESSAGE = '.';

interface CostProps {
  channel: Channel;
  country: string;
  /** Empty while the recipient is being typed: the quote is then for the country. */
  settledTarget: string;
  message: string;
  /** The sender that the request will name. */
  fromPhone: string | undefined;
}

const useQuote = ({ channel, country, settledTarget, message, fromPhone }: CostProps) => {
  const body: Body<'POST /:channel/quote'> = {
    message: message.trim() === '' ? ANY_MESSAGE : message,
    ...(channel !== 'email' && { countryCode: country }),
    ...(settledTarget && { phone: settledTarget }),
    ...(fromPhone && { fromPhone }),
  };
  const [asked] = useDebouncedValue(JSON.stringify({ channel, body }), DEBOUNCE_MS);
  const wanted: { channel: Channel; body: typeof body } = JSON.parse(asked);
  const quote = useQuery({
    ...quoteQuery(wanted.channel, wanted.body),
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  });
  // The price of another channel must not be shown, not even for a moment.
  const fits = wanted.channel === channel && !quote.isError;
  return { quote: fits ? quote.data : undefined, failure: quote.error?.message };
};

const Segments = ({ message }: { message: string }) => {
  const { segments, places, left, encoding } = segmentation(message);
  return (
    <>
      <div>
        <dt>{t('send.segments')}</dt>
        <dd data-strong>{segments}</dd>
      </div>
      <div>
        <dt>{t('send.characters')}</dt>
        <dd>{t('send.characters_left', { places, left })}</dd>
      </div>
      <div>
        <dt>{t('send.encoding')}</dt>
        <dd>{t(`send.encoding.${encoding}`)}</dd>
      </div>
    </>
  );
};

const BalanceAfter = ({ quote }: { quote: Quote | undefined }) => {
  const short = quote !== undefined && quote.balanceAfter < 0;
  return (
    <>
      <div data-bad={short || undefined}>
        <dt>{t('send.balance_after')}</dt>
        <dd>{quote ? formatExactAmount(quote.balanceAfter) : '–'}</dd>
      </div>
      {short && (
        <div data-bad>
          <dt>{t('send.balance_short')}</dt>
          <dd>
            <Link to="/dashboard/payments">{t('payments.top_up')}</Link>
          </dd>
        </div>
      )}
    </>
  );
};

/** The cost of the message, updated while it is typed. The server charges by the same rules. */
export const Cost = (props: CostProps) => {
  const { channel, message } = props;
  const { quote, failure } = useQuote(props);
  const written = message.trim() !== '';
  return (
    <section className={classes.cost} aria-label={t('send.cost')}>
      <dl>
        {channel === 'sms' ? (
          <Segments message={message} />
        ) : (
          <div>
            <dt>{t('send.characters')}</dt>
            <dd>{message.length}</dd>
          </div>
        )}
        <div>
          <dt>{t(`send.unit_price.${channel}`)}</dt>
          <dd>{quote ? formatExactAmount(quote.unitPrice) : '–'}</dd>
        </div>
        <div>
          <dt>{t('send.price')}</dt>
          <dd data-strong>{written && quote ? formatExactAmount(quote.price) : '–'}</dd>
        </div>
        <BalanceAfter quote={written ? quote : undefined} />
      </dl>
      {failure && <p className={classes.failure}>{failure}</p>}
    </section>
  );
};
