import {
  IconCode,
  IconDatabase,
  IconMessages,
  IconQuote,
  IconWallet,
  type TablerIcon,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { t } from '../../ground/i18n/translate.ts';
import controls from '../../ground/ui/controls.module.css';
import classes from './home.module.css';
import { HomeBoard } from './home-board.tsx';
import { HomeContact } from './home-contact.tsx';
import { HomeSignUp } from './home-sign-up.tsx';

interface Feature {
  icon: TablerIcon;
  title: () => string;
  text: () => string;
}

const FEATURES: Feature[] = [
  { icon: IconMessages, title: () => t('home.channels.title'), text: () => t('home.channels.text') },
  { icon: IconWallet, title: () => t('home.prepaid.title'), text: () => t('home.prepaid.text') },
  { icon: IconDatabase, title: () => t('home.data.title'), text: () => t('home.data.text') },
  { icon: IconCode, title: () => t('home.api.title'), text: () => t('home.api.text') },
];

/** The parts of the product speak for themselves: nobody is made up to praise it. */
const TESTIMONIALS = [
  {
    quote: () => t('home.ledger.quote'),
    name: () => t('home.ledger.name'),
    duty: () => t('home.ledger.duty'),
  },
  {
    quote: () => t('home.queue.quote'),
    name: () => t('home.queue.name'),
    duty: () => t('home.queue.duty'),
  },
  {
    quote: () => t('home.timeline.quote'),
    name: () => t('home.timeline.name'),
    duty: () => t('home.timeline.duty'),
  },
];

const Hero = () => (
  <section className={classes.hero}>
    <div className={classes.heroText}>
      <p className={classes.eyebrow}>{t('home.eyebrow')}</p>
      <h1>{t('home.title')}</h1>
      <p className={classes.lede}>{t('home.lede')}</p>
      <div className={classes.actions}>
        <Link to="/register" className={`${controls.primary} ${controls.large}`}>
          {t('home.start')}
        </Link>
        <a href="/api/docs" className={`${controls.quiet} ${controls.large} ${classes.outlined}`}>
          {t('home.read_api')}
        </a>
      </div>
    </div>
    <HomeBoard />
  </section>
);

const Features = () => (
  <section className={classes.features} aria-labelledby="features-title">
    <h2 id="features-title" className="visually-hidden">
      {t('home.features')}
    </h2>
    {FEATURES.map(({ icon: Icon, title, text }) => (
      <div key={title()} className={classes.feature}>
        <Icon size={28} stroke={1.6} className={classes.featureIcon} aria-hidden="true" />
        <h3>{title()}</h3>
        <p>{text()}</p>
      </div>
    ))}
  </section>
);

const Testimonials = () => (
  <section className={classes.band} aria-labelledby="testimonials-title">
    <div className={classes.inner}>
      <h2 id="testimonials-title">{t('home.testimonials.title')}</h2>
      <p className={classes.sectionLede}>{t('home.testimonials.lede')}</p>
      <div className={classes.testimonials}>
        {TESTIMONIALS.map(({ quote, name, duty }) => (
          <figure key={name()} className={classes.testimonial}>
            <IconQuote size={32} className={classes.featureIcon} aria-hidden="true" />
            <blockquote>{quote()}</blockquote>
            <figcaption>
              <strong>{name()}</strong>
              <span>{duty()}</span>
            </figcaption>
          </figure>
        ))}
      </div>
    </div>
  </section>
);

const About = () => (
  <section id="about" className={`${classes.inner} ${classes.about}`} aria-labelledby="about-title">
    <h2 id="about-title">{t('home.about.title')}</h2>
    <div>
      <p>{t('home.about.what')}</p>
      <p>{t('home.about.how')}</p>
    </div>
  </section>
);

export const Home = () => (
  <>
    <Hero />
    <Features />
    <Testimonials />
    <About />
    <HomeSignUp />
    <HomeContact />
  </>
);
