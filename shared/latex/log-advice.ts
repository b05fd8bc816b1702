/** Plain words for TeX's messages. */
export interface Complaint {
  message: string;
  breakPoint: string;
  context: string;
  runaway: string;
}
export function advise(_complaint: Complaint): { explanation?: string; suggestion?: string } {
  return {};
}
