/**
 * What people do, told to whoever wants to count it. Off by default: nothing listens, nothing is sent, nothing is
 * kept. An operator who measures adds a script of their own that listens on `window` for `inkproof:analytics`, whose
 * `detail` is `{ name, at }`. Names no person and carries nothing a person wrote.
 */

/** The events of the specification, section 7. */
export type AnalyticsEvent = 'cta_start_converting' | 'cta_try_it_for_free' | 'student_discount_click';

export const analyticsEventType = 'inkproof:analytics';

/** Tells that it happened. Never throws, never waits. */
export function track(name: AnalyticsEvent): void {
  window.dispatchEvent(new CustomEvent(analyticsEventType, { detail: { name, at: location.pathname } }));
}
