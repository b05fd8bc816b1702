/** Organization, products and questions in schema.org's terms. */
import { bundles, type Currency, currencies, paidBundleIds } from '#shared/api/bundles.ts';
import { siteAddress } from '#web/lib/page/page-meta.ts';
import { getSiteFacts } from '#web/lib/page/site-facts.ts';

export interface Question {
  question: string;
  /** Plain text, one paragraph. */
  answer: string;
}

export function describeOrganization(): Record<string, unknown> {
  return {
    '@type': 'Organization',
    name: 'Inkproof',
    url: siteAddress('/'),
    logo: siteAddress('/favicon.svg'),
    email: getSiteFacts().supportEmail,
    contactPoint: {
      '@type': 'ContactPoint',
      contactType: 'customer support',
      email: getSiteFacts().supportEmail,
      url: siteAddress('/contact'),
    },
  };
}

export function describeWebsite(): Record<string, unknown> {
  return { '@type': 'WebSite', name: 'Inkproof', url: siteAddress('/'), inLanguage: 'en-GB' };
}

/** The bundles for sale, each with an offer in either currency. */
export function listProducts(): Record<string, unknown>[] {
  return bundles
    .filter(({ id }) => (paidBundleIds as readonly string[]).includes(id))
    .map(({ id, title, description, credits, price }) => ({
      '@type': 'Product',
      name: `Inkproof ${title}`,
      description: `${description} ${credits.conversion} pages and ${credits.assistant} AI conversations, bought once. Credits never expire.`,
      sku: id,
      brand: { '@type': 'Brand', name: 'Inkproof' },
      image: siteAddress('/favicon.svg'),
      offers: currencies.map((currency) => describeOffer(currency, price[currency])),
    }));
}

/** @param price in hundredths */
function describeOffer(currency: Currency, price: number): Record<string, unknown> {
  return {
    '@type': 'Offer',
    url: siteAddress('/pricing'),
    price: (price / 100).toFixed(2),
    priceCurrency: currency.toUpperCase(),
    availability: 'https://schema.org/InStock',
    ...(currency === 'gbp' ? { eligibleRegion: { '@type': 'Country', name: 'GB' } } : {}),
  };
}

export function describeQuestions(questions: readonly Question[]): Record<string, unknown> {
  return {
    '@type': 'FAQPage',
    mainEntity: questions.map(({ question, answer }) => ({
      '@type': 'Question',
      name: question,
      acceptedAnswer: { '@type': 'Answer', text: answer },
    })),
  };
}
