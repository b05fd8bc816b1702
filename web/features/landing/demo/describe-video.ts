import { siteAddress } from '#web/lib/page/page-meta.ts';
import { posterPath, videoPath } from './addresses.ts';
import facts from './demo.json';

/** The film in schema.org's terms, from the facts written by its recording. */
export function describeVideo(): Record<string, unknown> {
  return {
    '@type': 'VideoObject',
    name: 'Inkproof: a page of handwriting becomes LaTeX',
    description: `${facts.lines.join(' ')} Recorded with the real product.`,
    thumbnailUrl: [siteAddress(posterPath)],
    uploadDate: facts.recordedAt,
    duration: `PT${facts.seconds}S`,
    contentUrl: siteAddress(videoPath),
    encodingFormat: 'video/mp4',
    width: facts.width,
    height: facts.height,
    inLanguage: 'en-GB',
    isFamilyFriendly: true,
  };
}
