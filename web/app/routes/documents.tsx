import { PlaceScreen } from '#web/features/library/place-screen.tsx';

export function meta() {
  return [{ title: 'My documents · Inkproof' }, { name: 'robots', content: 'noindex' }];
}

export default function DocumentsRoute() {
  return <PlaceScreen />;
}
