import { getRouteApi } from '@tanstack/react-router';
import { LegalPage } from './legal-page.tsx';

const route = getRouteApi('/public/terms_condition');

export const TermsCondition = () => <LegalPage text={route.useLoaderData()} />;
