import { getRouteApi } from '@tanstack/react-router';
import { LegalPage } from './legal-page.tsx';

const route = getRouteApi('/public/privacy_policy');

export const PrivacyPolicy = () => <LegalPage text={route.useLoaderData()} />;
