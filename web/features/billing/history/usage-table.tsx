import type { MonthlyUsage } from '#shared/api/billing.ts';
import { formatMonth } from './format-date.ts';

/** The usage of each month, newest first. */
export function UsageTable({ usage }: { usage: MonthlyUsage[] }) {
  return (
    <table className="w-full max-w-xl text-left tabular-nums">
      <thead className="text-sm text-graphite">
        <tr>
          <th scope="col" className="pb-2 font-normal">
            Month
          </th>
          <th scope="col" className="pb-2 pl-4 text-right font-normal">
            Pages
          </th>
          <th scope="col" className="pb-2 pl-4 text-right font-normal">
            AI conversations
          </th>
        </tr>
      </thead>
      <tbody>
        {usage.map((row) => (
          <tr key={row.month} className="border-t border-hairline">
            <th scope="row" className="py-2.5 font-medium">
              {formatMonth(row.month)}
            </th>
            <td className="py-2.5 pl-4 text-right">{row.pages.toLocaleString('en-GB')}</td>
            <td className="py-2.5 pl-4 text-right">{row.assistant_changes.toLocaleString('en-GB')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
