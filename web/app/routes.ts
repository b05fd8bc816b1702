import { index, layout, type RouteConfig, route } from '@react-router/dev/routes';

export default [
  layout('./layout.tsx', [
    index('./routes/landing.tsx'),
    route('convert', './routes/convert.tsx'),
    route('upload', './routes/upload.tsx'),
    route('*', './routes/not-found.tsx'),
  ]),
] satisfies RouteConfig;
