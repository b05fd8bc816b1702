import type { WordCount } from '../word-count.ts';

/** Words and formulas by section. */
export function CountPanel({ count }: { count: WordCount }) {
  return (
    <div className="max-h-[min(26rem,60vh)] w-[min(24rem,calc(100vw-1.5rem))] overflow-y-auto p-4">
      <p className="text-sm text-graphite">
        {count.characters.toLocaleString('en-GB')} characters. Commands, formulas and comments are not
        counted.
      </p>
      <table className="mt-3 w-full text-sm">
        <thead className="text-left text-xs text-graphite">
          <tr>
            <th className="py-1 font-normal">Section</th>
            <th className="py-1 text-right font-normal">Words</th>
            <th className="py-1 pl-3 text-right font-normal">Formulas</th>
          </tr>
        </thead>
        <tbody className="tabular-nums">
          {count.sections.map((section) => (
            <tr key={section.line} className="border-t border-hairline">
              <td className="max-w-48 truncate py-1">{section.title ?? 'Before the first heading'}</td>
              <td className="py-1 text-right">{section.words.toLocaleString('en-GB')}</td>
              <td className="py-1 text-right">{section.formulas.toLocaleString('en-GB')}</td>
            </tr>
          ))}
        </tbody>
        <tfoot className="border-t border-edge font-medium tabular-nums">
          <tr>
            <td className="py-1">All</td>
            <td className="py-1 text-right">{count.words.toLocaleString('en-GB')}</td>
            <td className="py-1 text-right">{count.formulas.toLocaleString('en-GB')}</td>
          </tr>
        </tfoot>
      </table>
    </div>
  );
}
