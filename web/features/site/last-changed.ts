/** When terms and privacy policy were last changed. Changes are announced 30 days ahead (specification, section 9). */
export const lastChanged = '21 November 2026';
