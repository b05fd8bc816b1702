import { GraduationCap } from 'lucide-react';

/** Shown by the document's `data-season` in the Back to School weeks (web/lib/page/season.ts). */
export function SeasonBanner() {
  return (
    <aside
      aria-label="Back to School Deals"
      className="mt-8 hidden items-center gap-3 rounded-xl border border-hairline bg-paper-deep px-4 py-3 school-season:flex sm:px-5"
    >
      <GraduationCap className="size-6 shrink-0" strokeWidth={1.5} aria-hidden="true" />
      <p>
        <strong className="font-serif text-lg font-medium">Back to School Deals</strong>
        <span className="block text-graphite sm:ml-3 sm:inline">
          Special pricing until the end of October.
        </span>
      </p>
    </aside>
  );
}
