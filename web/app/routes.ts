import { index, layout, type RouteConfig, route } from '@react-router/dev/routes';

export default [
  route('blog/rss.xml', './routes/site/blog-feed.ts'),
  layout('./window-layout.tsx', [
    route('documents/:documentId', './routes/document.tsx'),
    route('documents/:documentId/pdf', './routes/document-pdf.tsx'),
    route('shared/:token', './routes/shared.tsx'),
  ]),
  layout('./layout.tsx', [
    index('./routes/site/landing.tsx'),
    route('convert', './routes/convert.tsx'),
    route('upload', './routes/upload.tsx'),
    route('auth/confirm', './routes/confirm.tsx'),
    route('reset-password', './routes/reset-password.tsx'),
    route('account', './routes/account.tsx'),
    route('pricing', './routes/site/pricing.tsx'),
    route('contact', './routes/site/contact.tsx'),
    route('terms', './routes/site/terms.tsx'),
    route('privacy', './routes/site/privacy.tsx'),
    route('physics-notes-to-latex', './routes/site/physics.tsx'),
    route('payment-success', './routes/payment-success.tsx'),
    route('payment-cancelled', './routes/payment-cancelled.tsx'),
    route('billing_history', './routes/billing-history.tsx'),
    // static pages, without the app (start/start-scripts.tsx), and the same as pages of the app
    route('blog', './routes/site/blog-list.tsx', { id: 'blog' }),
    route('blog/en', './routes/site/blog-list.tsx', { id: 'blog-en' }),
    route('blog/:slug', './routes/site/blog-post.tsx', { id: 'blog-article' }),
    route('blog-react', './routes/site/blog-list.tsx', { id: 'blog-react' }),
    route('blog-react/:slug', './routes/site/blog-post.tsx', { id: 'blog-react-article' }),
    layout('./routes/library.tsx', [
      route('documents', './routes/documents.tsx', { id: 'documents' }),
      route('documents/folders', './routes/documents.tsx', { id: 'folders' }),
      route('documents/folders/:folderId', './routes/documents.tsx', { id: 'folder' }),
    ]),
    route('*', './routes/site/not-found.tsx'),
  ]),
] satisfies RouteConfig;
