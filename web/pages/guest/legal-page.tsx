import { formatDate } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import type { LegalText } from '../../ground/legal/legal-text.ts';
import classes from './legal-page.module.css';

const anchorOf = (index: number) => `section-${index + 1}`;

const Contents = ({ text }: { text: LegalText }) => (
  <nav className={classes.contents} aria-label={t('legal.contents')}>
    <p className={classes.contentsTitle}>{t('legal.contents')}</p>
    <ol>
      {text.sections.map(({ heading }, index) => (
        <li key={heading}>
          <a href={`#${anchorOf(index)}`}>{heading}</a>
        </li>
      ))}
    </ol>
  </nav>
);

export const LegalPage = ({ text }: { text: LegalText }) => (
  <div className={classes.page}>
    <Contents text={text} />
    <article className={classes.article}>
      <h1>{text.title}</h1>
      <p className={classes.updated}>{t('legal.updated', { date: formatDate(text.updated, 'UTC') })}</p>
      <p className={classes.intro}>{text.intro}</p>
      {text.sections.map(({ heading, paragraphs, points }, index) => (
        <section key={heading} id={anchorOf(index)}>
          <h2>{heading}</h2>
          {paragraphs.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
          {points && (
            <ul>
              {points.map((point) => (
                <li key={point}>{point}</li>
              ))}
            </ul>
          )}
        </section>
      ))}
    </article>
  </div>
);
