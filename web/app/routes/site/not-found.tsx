import { ErrorScreen } from '../../error-screen.tsx';

export function meta() {
  return [{ title: 'Not found · Inkproof' }, { name: 'robots', content: 'noindex' }];
}

export default function NotFound() {
  return <ErrorScreen isMissing />;
}
